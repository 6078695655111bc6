import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

struct NetworkRequestEquivalenceTests {
    /// How many different equivalence hashes there are among a thousand requests.
    private func hashCount(_ change: (inout NetworkRequest, Int) -> Void) -> Int {
        let hashes = (0..<1000).map { number in
            var request = NetworkRequest(.test("a"))
            change(&request, number)
            return request.equivalenceHash
        }
        return Set(hashes).count
    }

    /// Content that differs in its middle alone.
    private func content(_ number: Int) -> Data {
        Data(count: 1000) + Data("\(number)".utf8) + Data(count: 1000)
    }

    @Test func `Different requests have different equivalence hashes, whatever they differ in`() {
        #expect(hashCount { $0.urlRequest.url = .test("\($1)") } == 1000)
        #expect(hashCount { $0.urlRequest.setValue("bytes=\($1)-", forHTTPHeaderField: "Range") } == 1000)
        #expect(hashCount { $0.urlRequest.httpBody = content($1) } == 1000)
        #expect(hashCount { $0.body = .data(content($1)) } == 1000)
        #expect(hashCount { $0.destination = .file(URL(filePath: "/tmp/\($1)")) } == 1000)
        #expect(hashCount { $0.body = .file(URL(filePath: "/tmp/\($1)")) } == 1000)
    }

    @Test(arguments: [SizeProbe.head, .firstByte])
    func `A probe for a size is not equivalent to its request, and shows its own method and fields`(kind: SizeProbe)
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

    @Test func `The equivalence hash covers the beginning, the end and the length of a long content`() {
        let long = Data(count: 1_000_000)
        func equivalenceHash(_ content: Data) -> UInt32 {
            var request = NetworkRequest(.test("a"))
            request.urlRequest.httpBody = content
            return request.equivalenceHash
        }
        let changes = [[UInt8(1)] + long.dropFirst(), long.dropLast() + [1], long + [0]]
        #expect(Set(([long] + changes).map(equivalenceHash)).count == 4)
    }

    @Test func `Equivalent requests have the same equivalence hash, though they are not equal`() {
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
