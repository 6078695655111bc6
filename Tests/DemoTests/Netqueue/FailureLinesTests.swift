import Testing

@testable import netqueue

struct FailureLinesTests {
    private let display = RecordingDisplay()

    private func failure(_ number: Int) -> JobFailure { JobFailure(source: "f\(number)", reason: "404 Not Found") }

    @Test(arguments: [
        (19, []), (20, []), (21, ["1 more failure; use -v to show all"]),
        (1000, ["980 more failures; use -v to show all"]),
    ])
    func `Twenty failures have a line each, and the rest is counted`(count: Int, rest: [String]) {
        let lines = FailureLines(display: display)
        for number in 1...count { lines.tell(failure(number)) }
        lines.end()
        let own = (1...min(count, 20)).map { JobFailure.line("f\($0): 404 Not Found") }
        #expect(display.lines == own + rest.map(JobFailure.line))
    }

    @Test func `The rest of the failures is counted once for each job`() {
        let lines = FailureLines(display: display, limit: 1)
        for number in 1...3 { lines.tell(failure(number)) }
        lines.end()
        lines.end()
        lines.tell(failure(4))
        lines.end()
        #expect(
            display.lines
                == ["f1: 404 Not Found", "2 more failures; use -v to show all", "1 more failure; use -v to show all"]
                .map(JobFailure.line))
    }
}
