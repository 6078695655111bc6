import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

struct NetworkRequestTests {
    private let url = URL.test("path")

    @Test func `A request without a method is a GET, and with content a POST, unless it says otherwise`() {
        var request = NetworkRequest(.test("a"))
        #expect(request.method == "GET")
        request.body = .data(Data("x".utf8))
        #expect(request.method == "POST")
        request.method = "PUT"
        #expect(request.method == "PUT")
        #expect(NetworkRequest(.test("a"), method: "GET", body: .data(Data())).method == "GET")
        #expect(NetworkRequest(.test("a"), body: .data(Data())).method == "POST")
    }

    @Test func `A request has its fields in order and number, also after Foundation's form was changed`() {
        var request = NetworkRequest(.test("a"), headers: ["B": "1", "A": "2", "b": "3", "C": "4"])
        #expect(request.urlRequest.value(forHTTPHeaderField: "c") == "4")
        request.urlRequest.setValue("5", forHTTPHeaderField: "D")
        #expect(request.headers == ["B": "1", "A": "2", "b": "3", "C": "4", "D": "5"])
        request.urlRequest.setValue(nil, forHTTPHeaderField: "A")
        request.urlRequest.setValue("6", forHTTPHeaderField: "C")
        #expect(request.headers == ["B": "1", "b": "3", "D": "5", "C": "6"])
        request.urlRequest.url = .test("b")
        request.urlRequest.httpMethod = "DELETE"
        #expect(request.url == .test("b") && request.method == "DELETE")
        #expect(request.headers == ["B": "1", "b": "3", "D": "5", "C": "6"])
    }

    @Test func `A request keeps a field that must not be sent, which Foundation would leave out`() {
        var request = NetworkRequest(.test("a"), headers: ["A": "1\r\nEvil: 2", "B": "3"])
        request.urlRequest.setValue("4", forHTTPHeaderField: "B")
        #expect(request.headers.unsendableName == "A")
        request.headers["A"] = "1"
        #expect(request.headers.unsendableName == nil)
    }

    @Test func `A request takes over all that Foundation's says`() throws {
        var foundation = URLRequest(url: .test("a"), cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 7)
        foundation.httpMethod = "PATCH"
        foundation.allowsCellularAccess = false
        foundation.httpBody = Data("x".utf8)
        foundation.setValue("2", forHTTPHeaderField: "B")
        foundation.setValue("1", forHTTPHeaderField: "A")
        let request = NetworkRequest(foundation)
        #expect(request.method == "PATCH" && request.idleTimeout == .seconds(7) && request.hasBody)
        #expect(request.headers == ["A": "1", "B": "2"])
        let back = request.urlRequest
        #expect(back.url == .test("a") && back.httpMethod == "PATCH" && back.timeoutInterval == 7)
        #expect(!back.allowsCellularAccess && back.cachePolicy == .reloadIgnoringLocalCacheData)
        #expect(back.httpBody == Data("x".utf8))
        #expect(back.allHTTPHeaderFields == ["A": "1", "B": "2"])
    }

    @Test func `A request has no timeout of its own if Foundation's has the default`() {
        #expect(NetworkRequest(.test("a")).idleTimeout == nil)
        #expect(NetworkRequest(URLRequest(url: .test("a"))).idleTimeout == nil)
        #expect(NetworkRequest(.test("a")).urlRequest.timeoutInterval == 60)
        var request = NetworkRequest(.test("a"))
        request.idleTimeout = .milliseconds(1500)
        #expect(request.urlRequest.timeoutInterval == 1.5)
        request.urlRequest.timeoutInterval = 60
        #expect(request.idleTimeout == nil)
    }

    @Test func `A request without a URL stays without one`() {
        var foundation = URLRequest(url: .test("a"))
        foundation.url = nil
        let request = NetworkRequest(foundation)
        #expect(request.urlRequest.url == nil && "\(request)" == "GET no URL")
        var other = request
        other.urlRequest.url = .test("b")
        #expect(other.urlRequest.url == .test("b") && "\(other)" == "GET http://host.test/b")
    }

    @Test func `A request is equivalent to one whose fields of other names stand in another order`() {
        let request = NetworkRequest(.test("a"), headers: ["A": "1", "B": "2", "a": "3"])
        let same = NetworkRequest(.test("a"), headers: ["b": "2", "A": "1", "A": "3"])
        #expect(request.isEquivalent(to: same) && request.equivalenceHash == same.equivalenceHash)
        for headers in [["A": "3", "B": "2", "a": "1"], ["A": "1", "B": "2"], [:]] as [HTTPHeaders] {
            #expect(!request.isEquivalent(to: NetworkRequest(.test("a"), headers: headers)))
        }
    }

    // MARK: In one line

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
