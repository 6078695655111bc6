#if canImport(Glibc)
    import Foundation
    import Testing

    @testable import NetworkQueueKit

    /// The version of libcurl that the tests are to run with; `nil` where any will do.
    private let expectedVersion = ProcessInfo.processInfo.environment["NETWORKQUEUEKIT_TEST_LIBCURL"]

    @Suite(.enabled(if: expectedVersion != nil, "NETWORKQUEUEKIT_TEST_LIBCURL names no version"))
    struct CurlLibraryTests {
        @Test func `The version under test is the one that was loaded`() {
            let version = CurlLibrary.version
            #expect("\(version >> 16).\(version >> 8 & 0xFF).\(version & 0xFF)" == expectedVersion)
        }

        /// FoundationNetworking links libcurl by its name: another copy would be the system's.
        @Test func `The process has loaded no other libcurl`() throws {
            #expect(CurlLibrary.isAvailable)
            // Line by line, since the kernel hands over less at a time than a reader of whole files asks for.
            let maps = try #require(fopen("/proc/self/maps", "r"))
            defer { fclose(maps) }
            var files: Set<Substring> = []
            var buffer = [CChar](repeating: 0, count: 2 * Int(PATH_MAX))
            while let line = fgets(&buffer, CInt(buffer.count), maps).map({ String(cString: $0) }) {
                if let file = line.split(separator: " ").last, file.contains("/libcurl") { files.insert(file) }
            }
            #expect(files.count == 1, "\(files)")
        }
    }
#endif
