#if canImport(Glibc)
    import CCurl
    import Foundation

    /// The system's libcurl, loaded at first use.
    enum CurlLibrary {
        /// Whether libcurl 7.68 or later could be loaded and initialized.
        static let isAvailable: Bool = {
            guard ccurl_load() else { return false }
            if ccurl_version_number() < 0x07_54_00 {
                // Initialization is not thread-safe before 7.84: let Foundation, which uses the same library, go first.
                _ = URLSession.shared
            }
            return ccurl_initialize()
        }()

        /// The version as 0xXXYYZZ; 0 if libcurl is not available.
        static var version: UInt32 { isAvailable ? ccurl_version_number() : 0 }
    }
#endif
