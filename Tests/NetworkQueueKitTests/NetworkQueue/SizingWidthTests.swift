import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

struct SizingWidthTests {
    private func answer(_ status: Int?) -> SizeAnswer {
        let probe = RequestOperation(NetworkRequest(.test("a"), method: "HEAD"))
        if let status {
            probe.setResponseHead(ResponseHead(statusCode: status, headers: [:], url: probe.request.url))
        } else {
            probe.end(with: RequestResult(error: NetworkError(.cannotConnectToHost)))
        }
        return SizeAnswer(probe)
    }

    @Test func `The width doubles when one origin has answered sixteen times`() {
        var width = SizingWidth()
        for _ in 0..<15 { width.note(answer(200)) }
        #expect(width.value == 16)
        for _ in 0..<100 { width.note(answer(404)) }
        #expect(width.value == 32)
    }

    @Test func `The width stays the same if several origins are asked`() {
        var width = SizingWidth()
        width.noteOrigin(Origin(.test("0")))
        width.noteOrigin(URL(string: "http://elsewhere.test").flatMap { Origin($0) })
        for _ in 0..<100 { width.note(answer(200)) }
        #expect(width.value == 16)
    }

    @Test(arguments: [503, nil])
    func `Trouble halves the width for good, down to one`(status: Int?) {
        var width = SizingWidth()
        width.note(answer(status))
        #expect(width.value == 8)
        for _ in 0..<100 { width.note(answer(200)) }
        #expect(width.value == 8)
        for _ in 0..<9 { width.note(answer(status)) }
        #expect(width.value == 1)
    }
}
