import Dashboard
import NetworkQueueKit
import Testing

struct SummaryTextTests {
    @Test func `The summary has files, bytes, duration and rate`() {
        let line = SummaryText.line(counts: .init(finished: 40), bytes: 3_650_722_202, duration: .seconds(51.2))
        #expect(line == "40 files, 3.4 GiB in 51.2 s (68.0 MiB/s)")
    }

    @Test func `The summary says how many of all files have arrived`() {
        let line = SummaryText.line(counts: .init(finished: 38, failed: 2), bytes: 1024, duration: .seconds(1))
        #expect(line == "38 of 40 files, 1.0 KiB in 1.0 s (1.0 KiB/s)")
    }

    @Test func `The summary has no rate without bytes or without time`() {
        #expect(
            SummaryText.line(counts: .init(failed: 1), bytes: 0, duration: .seconds(1)) == "0 of 1 file, 0 B in 1.0 s")
        #expect(SummaryText.line(counts: .init(finished: 1), bytes: 5, duration: .zero) == "1 file, 5 B in 0.0 s")
    }

    @Test func `A narrow summary drops the rate, then the duration, then the bytes`() {
        func line(_ columns: Int) -> String {
            SummaryText.line(
                counts: .init(finished: 40), bytes: 3_650_722_202, duration: .seconds(51.2),
                remark: ", 3 already there",
                columns: columns)
        }
        #expect(line(80) == "40 files, 3.4 GiB in 51.2 s (68.0 MiB/s), 3 already there")
        #expect(line(50) == "40 files, 3.4 GiB in 51.2 s, 3 already there")
        #expect(line(40) == "40 files, 3.4 GiB, 3 already there")
        #expect(line(30) == "40 files, 3 already there")
        #expect(line(5) == "40 files, 3 already there")
    }
}
