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

        /// Whether libcurl continues a field of a handle's former response, whose memory it has freed, if a response's
        /// first field begins with white space. So the bytes of a head must be looked at before libcurl reads them.
        static let continuesFreedField = continuesFreedField(version: version)

        static func continuesFreedField(version: UInt32) -> Bool { (0x07_53_00..<0x08_01_00).contains(version) }
    }
#endif
