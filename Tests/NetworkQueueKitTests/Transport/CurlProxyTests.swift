#if canImport(Glibc)
    import Foundation
    import Testing

    @testable import NetworkQueueKit

    struct CurlProxyTests {
        @Test(arguments: ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"])
        func `A variable that names a proxy has libcurl look at the environment`(variable: String) {
            #expect(isEnvironment(CurlProxy(configured: nil) { $0 == variable ? "http://127.0.0.1:1/" : nil }))
        }

        @Test func `There is no proxy without a variable or with an empty one`() {
            #expect(isNone(CurlProxy(configured: nil) { _ in nil }))
            #expect(isNone(CurlProxy(configured: nil) { _ in "" }))
        }

        /// A CGI program's `HTTP_PROXY` is what a client has sent as `Proxy`.
        @Test func `HTTP_PROXY and exceptions alone name no proxy`() {
            #expect(
                isNone(CurlProxy(configured: nil) { ["HTTP_PROXY", "no_proxy"].contains($0) ? "127.0.0.1:1" : nil }))
        }

        @Test func `The configuration's proxy wins over the environment's`() throws {
            let url = try #require(URL(string: "http://127.0.0.1:1/"))
            guard case .named(url) = CurlProxy(configured: url, environment: { _ in "http://127.0.0.1:2/" }) else {
                Issue.record("another proxy")
                return
            }
        }

        private func isEnvironment(_ proxy: CurlProxy) -> Bool {
            if case .environment = proxy { true } else { false }
        }

        private func isNone(_ proxy: CurlProxy) -> Bool {
            if case .none = proxy { true } else { false }
        }
    }
#endif
