import Foundation
import NetworkQueueKit
import NetworkQueueTesting
import TestSupport
import Testing

/// What a server may answer to the request for the rest of "0123456789" behind "01234", whose tag was "v1".
struct ResumeAnswer: Sendable, CustomTestStringConvertible {
    enum Outcome: Sendable {
        /// It is the rest.
        case goesOn
        /// It is the beginning of the rest: another exchange asks for what follows.
        case isBeginning
        /// It is taken as the whole.
        case isWhole
        /// Another exchange asks for the whole.
        case startsOver
        /// Everything was there.
        case isComplete
        /// The request fails, and the part stays.
        case fails(NetworkError.Code)
    }

    let testDescription: String
    let status: Int
    var headers: HTTPHeaders
    var body = "56789"
    let outcome: Outcome

    init(
        _ name: String, _ status: Int, _ headers: HTTPHeaders, body: String = "56789", _ outcome: Outcome
    ) {
        testDescription = name
        self.status = status
        self.headers = headers
        self.body = body
        self.outcome = outcome
    }

    var answer: ScriptedTransport.Answer {
        var headers = headers
        if !headers.contains("Content-Length"), !headers.contains("Transfer-Encoding") {
            headers["Content-Length"] = "\(body.utf8.count)"
        }
        return .text(body, status: status, headers)
    }

    private static func rest(_ range: String, etag: String? = "\"v1\"", _ more: HTTPHeaders = [:]) -> HTTPHeaders {
        var headers = more
        headers["Content-Range"] = range
        if let etag { headers["ETag"] = etag }
        return headers
    }

    static let all: [ResumeAnswer] = [
        ResumeAnswer("206 with the rest", 206, rest("bytes 5-9/10"), .goesOn),
        ResumeAnswer(
            "206 with the rest in chunks", 206, rest("bytes 5-9/10", ["Transfer-Encoding": "chunked"]), .goesOn),
        ResumeAnswer("206 from another start", 206, rest("bytes 4-8/10"), .startsOver),
        ResumeAnswer("206 from the beginning", 206, rest("bytes 0-9/10"), body: "0123456789", .startsOver),
        ResumeAnswer("206 with a beginning of the rest", 206, rest("bytes 5-8/10"), body: "5678", .isBeginning),
        ResumeAnswer("206 of another total", 206, rest("bytes 5-10/11"), body: "56789A", .startsOver),
        ResumeAnswer("206 of an unknown total", 206, rest("bytes 5-9/*"), .startsOver),
        ResumeAnswer("206 of another tag", 206, rest("bytes 5-9/10", etag: "\"v2\""), .startsOver),
        ResumeAnswer("206 of the tag made weak", 206, rest("bytes 5-9/10", etag: "W/\"v1\""), .startsOver),
        ResumeAnswer("206 without a tag", 206, rest("bytes 5-9/10", etag: nil), .startsOver),
        ResumeAnswer("206 without Content-Range", 206, ["ETag": "\"v1\""], .startsOver),
        ResumeAnswer("206 with a range that makes no sense", 206, rest("bytes 5-3/10"), .startsOver),
        ResumeAnswer("206 of another unit", 206, rest("lines 5-9/10"), .startsOver),
        ResumeAnswer(
            "206 with another length", 206, rest("bytes 5-9/10", ["Content-Length": "4"]), body: "5678", .startsOver),
        ResumeAnswer("206 with coded content", 206, rest("bytes 5-9/10", ["Content-Encoding": "gzip"]), .startsOver),
        ResumeAnswer(
            "206 in several parts", 206, ["ETag": "\"v1\"", "Content-Type": "multipart/byteranges; boundary=b"],
            body: "--b\r\n", .startsOver),
        ResumeAnswer("200 that says plainly that it is the rest", 200, rest("bytes 5-9/10"), .goesOn),
        // modelscope_hub #50: 200 with the slice that was asked for. The length tells if the range is missing.
        ResumeAnswer("200 with a slice", 200, rest("bytes 4-9/10", ["Content-Length": "5"]), .startsOver),
        // WEBrick 1.8.1 answers 304 to an `If-Range` that is right.
        ResumeAnswer("304", 304, [:], body: "", .startsOver),
        ResumeAnswer("412", 412, [:], body: "", .startsOver),
        ResumeAnswer("200 of another tag", 200, ["ETag": "\"v2\""], body: "whole", .isWhole),
        ResumeAnswer("200 of the same tag", 200, ["ETag": "\"v1\""], body: "0123456789", .isWhole),
        ResumeAnswer("200 of the same tag with another length", 200, ["ETag": "\"v1\""], .startsOver),
        ResumeAnswer("200 without a tag, shorter than the part", 200, [:], body: "new", .isWhole),
        ResumeAnswer("200 without content", 200, [:], body: "", .startsOver),
        ResumeAnswer("416 of another total", 416, ["Content-Range": "bytes */4"], body: "no", .startsOver),
        ResumeAnswer("416 of the total, while bytes are missing", 416, ["Content-Range": "bytes */10"], .startsOver),
        ResumeAnswer("416 without a total", 416, [:], .startsOver),
        ResumeAnswer("404", 404, [:], body: "gone", .fails(.httpStatus(404))),
        ResumeAnswer("503", 503, [:], body: "later", .fails(.httpStatus(503))),
    ]
}
