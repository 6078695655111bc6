import Foundation
import NetworkQueueKit
import TestSupport
import Testing

@testable import netqueue

struct CookieFileTests {
    private let text = """
        # Netscape HTTP Cookie File

        .Example.com\tTRUE\t/a\tTRUE\t4102444800\tone\t1
        #HttpOnly_host.example\tFALSE\t/\tFALSE\t0\ttwo\ta b\r
        host.example\tFALSE\t/\tFALSE\t0\tempty
        """

    @Test func `A cookie file has one cookie per line, with its host, path and expiry`() throws {
        let cookies = try CookieFile(text: text, name: "jar").cookies
        #expect(cookies.map(\.name) == ["one", "two", "empty"])
        #expect(cookies.map(\.value) == ["1", "a b", ""])
        #expect(cookies.map(\.domain) == [".example.com", "host.example", "host.example"])
        #expect(cookies.map(\.path) == ["/a", "/", "/"])
        #expect(cookies.map(\.isSecure) == [true, false, false])
        #expect(cookies.map(\.isHTTPOnly) == [false, true, false])
        #expect(cookies.map(\.expiresDate) == [Date(timeIntervalSince1970: 4_102_444_800), nil, nil])
    }

    @Test(arguments: OddName.joining + OddName.spaced)
    func `The value of a cookie is what follows the last tab, byte for byte`(value: String) throws {
        let cookie = try CookieFile(text: "h\tFALSE\t/\tFALSE\t0\t\(value)\t\(value)\r\n", name: "jar").cookies.first
        #expect((cookie?.value).equals(bytesOf: value) && (cookie?.name).equals(bytesOf: value))
    }

    @Test(arguments: ["1e300", "9223372036854775807", "-1e300", "253402300800"])
    func `A cookie may expire at any time`(time: String) throws {
        let cookies = try CookieFile(text: "host\tFALSE\t/\tFALSE\t\(time)\tname\tvalue", name: "jar").cookies
        #expect(
            cookies.count == 1 && cookies[0].expiresDate ?? .distantPast <= Date(timeIntervalSince1970: 253_402_300_799)
        )
    }

    @Test(arguments: [
        "{\"name\": 1}", "host FALSE / FALSE 0 name value", "host\tFALSE\t/\tFALSE\tsoon\tname\tvalue",
        "\tFALSE\t/\tFALSE\t0\tname\tvalue", "host\tFALSE\t/\tFALSE\t0\t\tvalue",
    ])
    func `A cookie file with a wrong line is rejected, and the line is not quoted`(line: String) {
        let error = #expect(throws: UsageError.self) { try CookieFile(text: "# one\n\(line)\n", name: "jar") }
        #expect(error?.message == "--cookies: jar:2 is not a cookie in the Netscape format")
    }
}
