import Dashboard
import NetworkQueueKit
import Testing

struct PlainLogTests {
    private var log = PlainLog(charset: .ascii)

    @Test mutating func `The plain log begins with the title of the job`() {
        #expect(log.begin(title: "Downloading 40 files", now: .zero) == "Downloading 40 files")
    }

    @Test mutating func `The plain log has a line every five seconds`() {
        _ = log.begin(title: "Downloading", now: .seconds(100))
        let line = "35%, 12/40 files, 1.2/3.4 GiB, 8.1 MiB/s, ETA 0:51"
        #expect(log.line(for: FrameExamples.known, now: .seconds(104.9)) == nil)
        #expect(log.line(for: FrameExamples.known, now: .seconds(105)) == line)
        #expect(log.line(for: FrameExamples.known, now: .seconds(109)) == nil)
        #expect(log.line(for: FrameExamples.known, now: .seconds(110)) == line)
    }

    @Test mutating func `The plain log ends with the final counts`() {
        _ = log.begin(title: "Downloading", now: .zero)
        #expect(log.line(for: FrameExamples.finished, now: .seconds(60)) == nil)
        #expect(log.end(FrameExamples.finished) == "40/40 files, 3.4 GiB")
        #expect(log.end(FrameExamples.finishedWithFailures) == "38/40 files, 2 failed, 1.2 GiB")
    }

    @Test func `The plain log says that files are being written to the disk`() {
        #expect(FrameExamples.flushing.logLine(charset: .ascii) == "40/40 files, 3.4/3.4 GiB, writing to disk")
    }

    @Test func `The plain log says what is known while sizes or the total are missing`() {
        #expect(FrameExamples.sizing.logLine(charset: .ascii) == "Sizing 120 of 400")
        #expect(FrameExamples.unknown.logLine(charset: .unicode) == "12/40 files · 1.2 GiB · 8.1 MiB/s")
        #expect(FrameExamples.starting.logLine(charset: .unicode) == "Starting")
    }
}
