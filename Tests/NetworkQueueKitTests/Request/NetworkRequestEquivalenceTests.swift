import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("NetworkRequest: what is the same")
struct NetworkRequestEquivalenceTests {
    /// How many different digests there are among a thousand requests.
    private func digestCount(_ change: (inout NetworkRequest, Int) -> Void) -> Int {
        let digests = (0..<1000).map { number in
            var request = NetworkRequest(.test("a"))
            change(&request, number)
            return request.equivalenceHash
        }
        return Set(digests).count
    }

    /// Content that differs in its middle alone.
    private func content(_ number: Int) -> Data {
        Data(count: 1000) + Data("\(number)".utf8) + Data(count: 1000)
    }

    @Test func `requests for one URL have different digests, whatever they differ in`() {
        #expect(digestCount { $0.urlRequest.url = .test("\($1)") } == 1000)
        #expect(digestCount { $0.urlRequest.setValue("bytes=\($1)-", forHTTPHeaderField: "Range") } == 1000)
        #expect(digestCount { $0.urlRequest.httpBody = content($1) } == 1000)
        #expect(digestCount { $0.body = .data(content($1)) } == 1000)
        #expect(digestCount { $0.destination = .file(URL(filePath: "/tmp/\($1)")) } == 1000)
        #expect(digestCount { $0.body = .file(URL(filePath: "/tmp/\($1)")) } == 1000)
    }

    @Test(arguments: [SizeProbe.head, .firstByte])
    func `a request for a size is not the same as the one for the content, and looks like what it is`(kind: SizeProbe)
        throws
    {
        let request = NetworkRequest(.test("a"))
        var probe = request
        probe.sizeProbe = kind
        #expect(!request.isEquivalent(to: probe) && !probe.isEquivalent(to: request))
        #expect(probe.description.hasPrefix(try #require(kind.method)))
        let visible = probe.withVisibleProbe
        #expect(visible.isSizeProbe && visible.urlRequest.httpMethod == kind.method)
        for (name, value) in kind.fields { #expect(visible.urlRequest.value(forHTTPHeaderField: name) == value) }
        #expect(request.withVisibleProbe.isEquivalent(to: request))
    }

    @Test func `of a long content its beginning, end and length count`() {
        let long = Data(count: 1_000_000)
        func digest(_ content: Data) -> UInt32 {
            var request = NetworkRequest(.test("a"))
            request.urlRequest.httpBody = content
            return request.equivalenceHash
        }
        let changes = [[UInt8(1)] + long.dropFirst(), long.dropLast() + [1], long + [0]]
        #expect(Set(([long] + changes).map(digest)).count == 4)
    }

    @Test func `requests that ask for the same have the same digest, though they are not one value`() {
        func make() -> NetworkRequest {
            var request = NetworkRequest(.test("a"))
            request.urlRequest.httpMethod = "POST"
            for number in 0..<20 { request.urlRequest.setValue("\(number)", forHTTPHeaderField: "X-\(number)") }
            request.body = .data(content(1))
            return request
        }
        var other = make()
        other.tag = "other"
        other.priority = .high
        #expect(make().isEquivalent(to: other) && make().equivalenceHash == other.equivalenceHash)
    }
}
