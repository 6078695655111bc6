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

    /// What a request has of a text, wherever it has it.
    private static let uses: [@Sendable (inout NetworkRequest, String) -> Void] = [
        { $0.headers["X-A"] = $1 },
        { $0.urlRequest.httpMethod = $1 },
        { $0.body = .data(Data(), contentType: $1) },
        { $0.destination = .file(URL(filePath: "/tmp/\($1)")) },
        { $0.credential = URLCredential(user: $1, password: "", persistence: .none) },
        { $0.credential = URLCredential(user: "", password: $1, persistence: .none) },
        { (request: inout NetworkRequest, text: String) in
            var form = MultipartForm()
            form.append("", name: text)
            request.body = .multipart(form)
        },
        { (request: inout NetworkRequest, text: String) in
            var form = MultipartForm()
            form.append(Data(), name: "a", fileName: text)
            request.body = .multipart(form)
        },
    ]

    @Test(arguments: OddName.twins)
    func `Requests with texts of other bytes are not equivalent`(one: String, other: String) {
        for (index, use) in Self.uses.enumerated() {
            let requests = [one, other, one].map { text in
                var request = NetworkRequest(.test("a"))
                use(&request, text)
                return request
            }
            #expect(!requests[0].isEquivalent(to: requests[1]), "\(index)")
            #expect(requests[0].isEquivalent(to: requests[2]), "\(index)")
        }
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
