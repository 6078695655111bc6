import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

/// Where the content of a response goes, decided without an exchange.
struct DownloadTargetTests {
    private let folder: TemporaryFolder
    private let exchange = HTTPExchange(url: .test("a"))
    private let validators: HTTPHeaders = ["ETag": "\"v1\""]

    init() throws { folder = try TemporaryFolder() }

    private func request(_ destination: Destination) -> NetworkRequest {
        var request = NetworkRequest(.test("a"))
        request.destination = destination
        return request
    }

    private func head(_ status: Int, _ headers: HTTPHeaders = [:]) -> ResponseHead {
        ResponseHead(statusCode: status, headers: headers, url: .test("a"))
    }

    /// Leaves the beginning of a file, as an attempt does that was interrupted.
    private func leavePart(_ content: String, of request: NetworkRequest) throws {
        var target = DownloadTarget(nil, isDecoded: false)
        _ = try target.prepare(exchange, for: request)
        let opened = try target.open(for: head(200, validators), to: exchange, expecting: 10, isCoded: false, request)
        _ = try Array(content.utf8).withUnsafeBytes { try opened.sink.write($0) }
        opened.sink.abandon()
    }

    private func verdict(_ status: Int, _ headers: HTTPHeaders, asking: HTTPHeaders = [:]) throws -> String {
        let request = request(.file(folder.file("file")))
        var asked = exchange
        for field in asking { asked.headers.append(name: field.name, value: field.value) }
        var target = DownloadTarget(nil, isDecoded: false)
        let prepared = try target.prepare(asked, for: request)
        return switch target.judge(head(status, headers), of: prepared, for: request) {
        case .take: "take as \(validatedStatus(head(status, headers), target))"
        case .startOver(let whole): "start over" + (whole.headers.contains("Range") ? " for a part" : "")
        case .complete: "complete"
        case .reject(let error): "reject: \(error.code)"
        case .refuse(let error): "refuse: \(error.code)"
        }
    }

    /// The status that a validation sees.
    private func validatedStatus(_ head: ResponseHead, _ target: DownloadTarget) -> Int {
        guard case .httpStatus(let status)? = target.rejection(of: head, by: .statusCodes([]))?.code else { return 0 }
        return status
    }

    @Test func `A download asks for nothing special if no part is there`() throws {
        let request = request(.file(folder.file("file")))
        var target = DownloadTarget(nil, isDecoded: false)
        #expect(try target.prepare(exchange, for: request).headers.isEmpty)
    }

    @Test func `A download asks for the rest of a part, provided that it is of the same file`() throws {
        let request = request(.file(folder.file("file")))
        try leavePart("12345", of: request)
        var target = DownloadTarget(nil, isDecoded: false)
        let prepared = try target.prepare(exchange, for: request)
        #expect(prepared.headers["Range"] == "bytes=5-" && prepared.headers["If-Range"] == "\"v1\"")
    }

    @Test(
        arguments: [
            (200, [:], "take as 200"), (404, [:], "take as 404"),
            (206, ["Content-Range": "bytes 5-9/10", "ETag": "\"v1\""], "take as 200"),
            (206, ["Content-Range": "bytes 4-9/10", "ETag": "\"v1\""], "start over"),
            (206, ["Content-Range": "bytes 5-9/10", "ETag": "\"v2\""], "start over"),
            (206, ["Content-Range": "bytes 5-8/10", "ETag": "\"v1\""], "take as 200"), (206, [:], "start over"),
            (416, ["Content-Range": "bytes */10"], "start over"), (416, [:], "start over"),
        ] as [(Int, HTTPHeaders, String)])
    func `A part is continued only with a response that is plainly its rest or the beginning of it`(
        status: Int, headers: HTTPHeaders, expected: String
    ) throws {
        try leavePart("12345", of: request(.file(folder.file("file"))))
        #expect(try verdict(status, headers) == expected)
    }

    @Test func `A part that is whole is complete if the server says so`() throws {
        try leavePart("1234567890", of: request(.file(folder.file("file"))))
        #expect(try verdict(416, ["Content-Range": "bytes */10", "ETag": "\"v1\""]) == "complete")
        #expect(try verdict(416, ["Content-Range": "bytes */10"]) == "start over")
        #expect(try verdict(416, ["Content-Range": "bytes */11", "ETag": "\"v1\""]) == "start over")
    }

    @Test func `A part of a file that was not asked for is refused`() throws {
        #expect(try verdict(206, ["Content-Range": "bytes 0-4/10"]) == "refuse: badServerResponse")
        #expect(try verdict(206, ["Content-Range": "bytes 0-4/10"], asking: ["Range": "bytes=0-4"]) == "take as 206")
    }

    @Test func `A download asks for codings if they are welcome, and then for no part`() throws {
        var request = request(.file(folder.file("file")))
        try leavePart("12345", of: request)
        request.acceptsCompressed = true
        var target = DownloadTarget(nil, isDecoded: false)
        let prepared = try target.prepare(exchange, for: request)
        #expect(prepared.headers["Accept-Encoding"] == ContentCoding.accepted && !prepared.headers.contains("Range"))
    }

    @Test func `The target opens the sink that the destination and the response call for`() throws {
        func kind(_ request: NetworkRequest, _ head: ResponseHead) throws -> String {
            var target = DownloadTarget(nil, isDecoded: false)
            let prepared = try target.prepare(exchange, for: request)
            let isCoded = head.headers.framing.hasContentEncoding
            let sink = try target.open(for: head, to: prepared, expecting: nil, isCoded: isCoded, request).sink
            sink.abandon()
            return "\(type(of: sink))"
        }
        #expect(try kind(request(.memory), head(200)) == "MemorySink")
        #expect(try kind(request(.discard), head(200)) == "DiscardingSink")
        let file = request(.file(folder.file("file")))
        #expect(try kind(file, head(200)) == "FileSink")
        #expect(try kind(file, head(304)) == "DiscardingSink")
        var checked = file
        checked.expectedChecksum = .md5(String(repeating: "0", count: 32))
        #expect(try kind(checked, head(200)) == "CheckedSink")
        #expect(try kind(request(.memory), head(200, ["Content-Encoding": "gzip"])) == "InflatingSink")
        #expect(try kind(request(.memory), head(206, ["Content-Encoding": "gzip"])) == "MemorySink")
        #expect(try kind(request(.memory), head(200, ["Content-Encoding": "br"])) == "MemorySink")
        #expect(try kind(request(.discard), head(200, ["Content-Encoding": "gzip"])) == "DiscardingSink")
        var coded = request(.memory)
        coded.acceptsCompressed = true
        #expect(try kind(coded, head(200, ["Content-Encoding": "gzip"])) == "InflatingSink")
        #expect(try kind(coded, head(200)) == "MemorySink")
        #expect(throws: NetworkError.self) { try kind(coded, head(200, ["Content-Encoding": "br"])) }
    }

    @Test func `The target releases a part for the next attempt, which finds it again`() throws {
        let request = request(.file(folder.file("file")))
        try leavePart("12345", of: request)
        var target = DownloadTarget(nil, isDecoded: false)
        _ = try target.prepare(exchange, for: request)
        // The part is this one's until it lets go.
        var other = DownloadTarget(nil, isDecoded: false)
        #expect(try !other.prepare(exchange, for: request).headers.contains("Range"))
        var successor = target.successor
        target.letGo()
        #expect(try successor.prepare(exchange, for: request).headers["Range"] == "bytes=5-")
    }
}
