import Foundation
import NetworkQueueKit
import Testing

@testable import netqueue

struct ReceivedPartTests {
    private static let wide = "bytes 9223372036854775806-9223372036854775806/9223372036854775807"

    // Nothing is shown without a length, a first byte or a missing byte, or beyond the largest position.
    @Test(
        arguments: [
            (200, ["Content-Length": "5000"], 1000, "1,000 of 5,000 bytes"),
            (206, ["Content-Length": "1000", "Content-Range": "bytes 4000-4999/5000"], 500, "4,500 of 5,000 bytes"),
            (206, ["Content-Range": wide], 2, nil), (200, [:], 1000, nil), (200, ["Content-Length": "5000"], 0, nil),
            (200, ["Content-Length": "5000"], 5000, nil),
        ] as [(Int, HTTPHeaders, Int64, String?)])
    func `A received part is counted in bytes, with those that were there before`(
        status: Int, headers: HTTPHeaders, bytes: Int64, text: String?
    ) throws {
        let url = try #require(URL(string: "http://h/a"))
        let head = ResponseHead(statusCode: status, headers: headers, url: url)
        #expect(ReceivedPart(head, bytes: bytes)?.text == text)
    }
}
