#if canImport(Glibc)
    @testable import NetworkQueueKit

    extension CurlLibrary {
        /// Whether libcurl makes further connections to an HTTP/2 server one at a time. In 7.87 and 7.88
        /// `CURLOPT_PIPEWAIT` has no effect once there is a connection: each exchange that finds no room on one makes
        /// its own.
        static var makesFurtherConnectionsOneByOne: Bool { !(0x07_57_00..<0x08_00_00).contains(version) }

        /// How many streams libcurl expects of a server whose settings have not arrived yet. They may arrive after the
        /// first request was sent.
        static var expectedStreamCount: Int { version < 0x07_4C_01 ? 13 : 100 }
    }
#endif
