import Dashboard
import NetworkQueueKit
import Testing

struct SummaryTextTests {
    // There is no rate without bytes or without time.
    @Test(
        arguments: [
            (.init(finished: 40), 3_650_722_202, .seconds(51.2), "40 files, 3.4 GiB in 51.2 s (68.0 MiB/s)"),
            (.init(finished: 38, failed: 2), 1024, .seconds(1), "38 of 40 files, 1.0 KiB in 1.0 s (1.0 KiB/s)"),
            (.init(failed: 1), 0, .seconds(1), "0 of 1 file, 0 B in 1.0 s"),
            (.init(finished: 1), 5, .zero, "1 file, 5 B in 0.0 s"),
        ] as [(NetworkQueue.Progress.Counts, Int64, Duration, String)])
    func `The summary says how many of all files have arrived, with bytes, duration and rate`(
        counts: NetworkQueue.Progress.Counts, bytes: Int64, duration: Duration, text: String
    ) {
        #expect(SummaryText.line(counts: counts, bytes: bytes, duration: duration) == text)
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
