import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

struct NetworkRequestTests {
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
}
