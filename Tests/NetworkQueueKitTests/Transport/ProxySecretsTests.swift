import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

struct ProxySecretsTests {
    private func secrets(_ proxy: String?, _ environment: [String: String] = [:]) -> ProxySecrets {
        ProxySecrets(configured: proxy.flatMap(URL.init(string:))) { environment[$0] }
    }

    @Test(arguments: ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"])
    func `The proxy's secrets are those of the configuration and of every variable`(variable: String) {
        for secrets in [secrets("http://name:word@h"), secrets(nil, [variable: "name:word@h"])] {
            #expect(secrets.mayBe(in: "cannot find NAME"))
            #expect(secrets.mayBe(in: "no word"))
            #expect(!secrets.mayBe(in: "Connection refused"))
        }
    }

    @Test(arguments: [
        "http://%6Dellon-user:x@h", "http://mellon-user/x@h", "mellon-user@h", "http://x:mellon-user@y@h",
        "x://a:b?mellon-user#c@h",
    ])
    func `The proxy's secrets are found in all that precedes the last at sign, as written and decoded`(proxy: String) {
        #expect(secrets(nil, ["http_proxy": proxy]).mayBe(in: "Could not resolve: mellon-user"))
    }

    @Test func `The proxy's secrets may be in any text that quotes a proxy, whichever it is`() {
        #expect(secrets(nil).mayBe(in: "Unsupported proxy syntax in 'http://x:y@z'"))
        #expect(secrets(nil, ["http_proxy": "http://mellon-word"]).mayBe(in: "see http://mellon-word"))
        #expect(!secrets(nil).mayBe(in: "Received HTTP code 403 from proxy after CONNECT"))
        #expect(!secrets("http://h:80").mayBe(in: "Failed to connect to h port 80"))
        #expect(!secrets("http://@h:80").mayBe(in: "Failed to connect to h port 80"))
    }
}
