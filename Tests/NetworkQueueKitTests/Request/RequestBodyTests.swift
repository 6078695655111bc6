import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

struct RequestBodyTests {
    private func text(_ body: RequestBody) throws -> String {
        guard case .data(let data) = body.content else { throw CocoaError(.coderInvalidValue) }
        return String(decoding: data, as: UTF8.self)
    }

    @Test func `A form keeps order and repeated names, and encodes characters that are not plain`() throws {
        let body = RequestBody.urlEncodedForm(["b": "1 2", "a": "ä&=+%", "b": "", "*-._": "~\r\n"])
        #expect(try text(body) == "b=1+2&a=%C3%A4%26%3D%2B%25&b=&*-._=%7E%0D%0A")
        #expect(body.contentType == "application/x-www-form-urlencoded")
        #expect(try text(.urlEncodedForm([("q", "x"), ("q", "y")])) == "q=x&q=y")
        #expect(try text(.urlEncodedForm([:])) == "")
    }

    @Test func `JSON of equal values is equal`() throws {
        struct Value: Codable, Equatable {
            var names: [String: Int]
            var path: String
        }
        let value = Value(names: ["z": 1, "a": 2, "m": 3], path: "/a/b")
        let body = try RequestBody.json(value)
        #expect(try text(body) == #"{"names":{"a":2,"m":3,"z":1},"path":"/a/b"}"#)
        #expect(body.contentType == "application/json")
        #expect(try RequestBody.json(Value(names: ["m": 3, "z": 1, "a": 2], path: "/a/b")) == body)
    }

    @Test func `JSON that cannot be written throws`() {
        #expect(throws: EncodingError.self) { try RequestBody.json(["x": Double.nan]) }
    }

    @Test(arguments: [
        ("photo.JPG", "image/jpeg"), ("archive.tar.gz", "application/gzip"), ("notes.txt", "text/plain"),
        ("README", "application/octet-stream"), ("a.", "application/octet-stream"),
        ("x.unheard", "application/octet-stream"),
    ])
    func `A file's type follows from its name`(name: String, type: String) {
        #expect(RequestBody.file(URL(filePath: "/tmp/\(name)")).contentType == type)
        #expect(RequestBody.file(URL(filePath: "/tmp/\(name)"), contentType: "a/b").contentType == "a/b")
    }

    @Test func `Bodies are equal if they send the same`() {
        var form = MultipartForm()
        form.append("value", name: "field")
        var other = MultipartForm()
        other.append("value", name: "field")
        #expect(form.boundary != other.boundary)
        #expect(RequestBody.multipart(form) == .multipart(other))
        #expect(Set([RequestBody.multipart(form), .multipart(other)]).count == 1)
        other.append("value", name: "field")
        #expect(RequestBody.multipart(form) != .multipart(other))
        #expect(RequestBody.data(Data("a".utf8)) != .data(Data("a".utf8), contentType: "text/plain"))
        #expect(RequestBody.file(URL(filePath: "/a")) != .file(URL(filePath: "/b")))
    }
}
