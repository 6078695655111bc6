import Foundation
import NetworkQueueKit
import Testing

@testable import netqueue

struct ReceivedPartTests {
    private func text(_ status: Int, _ headers: HTTPHeaders, bytes: Int64) throws -> String? {
        let url = try #require(URL(string: "http://h/a"))
        return ReceivedPart(ResponseHead(statusCode: status, headers: headers, url: url), bytes: bytes)?.text
    }

    @Test func `A received part is counted in bytes with groups of three digits`() throws {
        #expect(try text(200, ["Content-Length": "5000"], bytes: 1000) == "1,000 of 5,000 bytes")
    }

    @Test func `A resumed part counts the bytes that were there before`() throws {
        let headers: HTTPHeaders = ["Content-Length": "1000", "Content-Range": "bytes 4000-4999/5000"]
        #expect(try text(206, headers, bytes: 500) == "4,500 of 5,000 bytes")
    }

    @Test func `A received part at the largest position is not shown`() throws {
        let range = "bytes 9223372036854775806-9223372036854775806/9223372036854775807"
        #expect(try text(206, ["Content-Range": range], bytes: 2) == nil)
    }

    @Test(
        arguments: [([:], 1000), (["Content-Length": "5000"], 0), (["Content-Length": "5000"], 5000)]
            as [([String: String], Int64)])
    func `A received part is not shown without a length, a first byte or a missing byte`(
        headers: [String: String], bytes: Int64
    ) throws {
        var fields = HTTPHeaders()
        for (name, value) in headers { fields.append(name: name, value: value) }
        #expect(try text(200, fields, bytes: bytes) == nil)
    }
}
