import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

/// Requests in one line.
struct NetworkRequestConvenienceTests {
    private let url = URL.test("path")

    @Test func `A download says in one line what becomes of its file, what it must add up to and what it is called`() {
        let file = URL(filePath: "/tmp/a")
        let request = NetworkRequest.download(
            .test("a"), to: file, onConflict: .keepIfCurrent(otherwise: .rename), resumes: false, headers: ["X-A": "1"],
            expectedChecksum: .md5("00"), tag: "a")
        #expect(request.method == "GET" && request.headers["X-A"] == "1")
        #expect(
            request.destination == .file(file, onConflict: .keepIfCurrent(otherwise: .rename), resumes: false))
        #expect(request.expectedChecksum == .md5("00") && request.tag == "a")
        #expect(NetworkRequest.download(.test("a"), to: file).destination == .file(file))
        let plain = NetworkRequest(.test("a"), expectedChecksum: .sha1("1"), tag: "b")
        #expect(plain.expectedChecksum == .sha1("1") && plain.tag == "b")
        #expect(NetworkRequest(.test("a")).expectedChecksum == nil && NetworkRequest(.test("a")).tag == nil)
    }

    @Test func `A request has the method that it is named after, also with a body`() {
        let body = RequestBody.data(Data([1]))
        #expect(NetworkRequest.get(url).method == "GET" && NetworkRequest.head(url).method == "HEAD")
        #expect(NetworkRequest.post(url).method == "POST" && NetworkRequest.put(url, body: body).method == "PUT")
        #expect(NetworkRequest.patch(url, body: body).method == "PATCH")
        #expect(NetworkRequest.delete(url).method == "DELETE" && NetworkRequest.post(url, body: body).body == body)
        #expect(NetworkRequest(url, body: body).method == "POST" && NetworkRequest(url).method == "GET")
    }

    @Test func `A request written in one line takes header fields and a query`() {
        let request = NetworkRequest.get(
            url, headers: ["X-Own": "1"], query: [.init(name: "q", value: "a b"), .init(name: "n", value: "2")])
        #expect(request.headers["X-Own"] == "1" && request.url.absoluteString == url.absoluteString + "?q=a%20b&n=2")
    }

    @Test(arguments: [
        ("http://h/p", "a", "1", "http://h/p?a=1"), ("http://h/p?x", "a", "1", "http://h/p?x&a=1"),
        ("http://h/p?", "a", "1", "http://h/p?a=1"), ("http://h/p?x&", "a", "1", "http://h/p?x&a=1"),
        ("http://h/p#f", "a", "1", "http://h/p?a=1#f"), ("http://h/p?x#f?g", "a", "1", "http://h/p?x&a=1#f?g"),
        ("http://h", "a", "1", "http://h?a=1"), ("http://h/a%20b", "a", "1", "http://h/a%20b?a=1"),
        ("http://h/", "a", nil, "http://h/?a"), ("http://h/", "a", "", "http://h/?a="),
        ("http://h/", "a&b=c", "1+1=2&#%41/é", "http://h/?a%26b%3Dc=1%2B1%3D2%26%23%2541%2F%C3%A9"),
    ])
    func `A query encodes characters that could be taken for something else`(
        text: String, name: String, value: String?, expected: String
    ) throws {
        let url = try #require(URL(string: text))
        let request = NetworkRequest(url, query: [URLQueryItem(name: name, value: value)])
        #expect(request.url.absoluteString == expected)
    }

    @Test func `A request carries its user information to the operation`() {
        var request = NetworkRequest(url)
        #expect(request.userInfo.isEmpty)
        request.userInfo["row"] = 7
        #expect(RequestOperation(request).request.userInfo["row"] as? Int == 7)
    }
}
