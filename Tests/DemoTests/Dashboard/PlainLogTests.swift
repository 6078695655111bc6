import Dashboard
import NetworkQueueKit
import Testing

@Suite("The log for where there is no terminal")
struct PlainLogTests {
    private var log = PlainLog(charset: .ascii)

    @Test mutating func `begins with the size of the job`() {
        #expect(log.begin(title: "Downloading 40 files", now: .zero) == "Downloading 40 files")
    }

    @Test mutating func `has one line every few seconds`() {
        _ = log.begin(title: "Downloading", now: .seconds(100))
        let line = "35%, 12/40 files, 1.2/3.4 GiB, 8.1 MiB/s, ETA 0:51"
        #expect(log.line(for: FrameExamples.known, now: .seconds(104.9)) == nil)
        #expect(log.line(for: FrameExamples.known, now: .seconds(105)) == line)
        #expect(log.line(for: FrameExamples.known, now: .seconds(109)) == nil)
        #expect(log.line(for: FrameExamples.known, now: .seconds(110)) == line)
    }

    @Test mutating func `ends with what has come of it`() {
        _ = log.begin(title: "Downloading", now: .zero)
        #expect(log.line(for: FrameExamples.finished, now: .seconds(60)) == nil)
        #expect(log.end(FrameExamples.finished) == "40/40 files, 3.4 GiB")
        #expect(log.end(FrameExamples.finishedWithFailures) == "38/40 files, 2 failed, 1.2 GiB")
    }

    @Test func `counts the answers while sizes are asked for`() {
        #expect(FrameExamples.sizing.logLine(charset: .ascii) == "Sizing 120/400")
        #expect(FrameExamples.unknown.logLine(charset: .unicode) == "12/40 files · 1.2 GiB · 8.1 MiB/s")
        #expect(FrameExamples.starting.logLine(charset: .unicode) == "Starting")
    }
}
