#if canImport(Glibc)
    import Foundation
    import TestSupport
    import Testing

    @testable import NetworkQueueKit

    struct CurlCapabilitiesTests {
        private let debian = CurlCapabilities(
            version: 0x07_58_01, hasHTTP3: false, hasHTTPSProxy: true, tlsLibrary: "OpenSSL/3.0.22")

        private func refusal(
            by capabilities: CurlCapabilities, _ change: (inout TransportConfiguration) -> Void
        ) -> String? {
            var configuration = TransportConfiguration()
            change(&configuration)
            do {
                try capabilities.check(configuration)
                return nil
            } catch {
                #expect(error.code == .unsupportedConfiguration)
                return (error.underlying as? UnsupportedConfiguration)?.reason
            }
        }

        @Test func `A libcurl that lacks HTTP/3, or cannot do without it, is refused for HTTP/3`() {
            let start = "httpVersion .http3 needs libcurl 7.88 or later, built with HTTP/3; this system’s is "
            #expect(refusal(by: debian) { $0.httpVersion = .http3 } == start + "7.88.1 without it.")
            var old = debian
            (old.version, old.hasHTTP3) = (0x07_57_00, true)
            #expect(refusal(by: old) { $0.httpVersion = .http3 } == start + "7.87.0 with it.")
            var new = debian
            (new.version, new.hasHTTP3) = (0x08_17_00, true)
            #expect(refusal(by: new) { $0.httpVersion = .http3 } == nil)
            #expect(refusal(by: debian) { $0.httpVersion = .http1 } == nil)
        }

        @Test(arguments: ["http", "HTTP", "socks4", "socks4a", "socks5", "socks5h", "https"])
        func `A libcurl is not refused for a proxy that it knows`(scheme: String) {
            #expect(refusal(by: debian) { $0.proxy = URL(string: "\(scheme)://proxy.test:1") } == nil)
            #expect(refusal(by: debian) { $0.proxy = URL(string: "proxy.test:3128") } == nil)
        }

        @Test func `A libcurl is refused for a proxy of another scheme, and an odd scheme is not quoted`() {
            var old = debian
            old.hasHTTPSProxy = false
            #expect(
                refusal(by: old) { $0.proxy = URL(string: "https://proxy.test") }
                    == "This system’s libcurl does not support “https” proxies; use http, socks4, socks4a, socks5 or socks5h."
            )
            let text = refusal(by: debian) { $0.proxy = URL(string: "\(PlantedSecret.word)://proxy.test") }
            #expect(text?.hasPrefix("This system’s libcurl does not support this kind of proxy") == true)
            #expect(!PlantedSecret.isIn(text ?? ""))
        }

        @Test func `A libcurl is refused for an end of TLS that its library decides about`() {
            var other = debian
            other.tlsLibrary = "mbedTLS/2.28"
            #expect(
                refusal(by: other) { $0.allowsIncompleteTLSClose = true }
                    == "The TLS library of this system’s libcurl (mbedTLS/2.28) does not support allowsIncompleteTLSClose; "
                    + "leave it at its default.")
            #expect(refusal(by: debian) { $0.allowsIncompleteTLSClose = true } == nil)
        }

        @Test(arguments: [
            (0x07_52_00, false), (0x07_53_00, true), (0x07_58_01, true), (0x08_00_01, true), (0x08_01_00, false),
            (0, false),
        ])
        func `From 7.83 to 8.0 libcurl continues a field whose memory it has freed`(version: UInt32, expected: Bool) {
            #expect(CurlLibrary.continuesFreedField(version: version) == expected)
        }
    }
#endif
