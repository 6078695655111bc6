import Dashboard
import Testing

struct ByteCountTests {
    @Test(
        arguments: [
            (0, "0 B"), (1, "1 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1536, "1.5 KiB"), (102_348, "99.9 KiB"),
            (102_400, "100 KiB"), (1_048_063, "1023 KiB"), (1_048_064, "1.0 MiB"), (3_650_722_202, "3.4 GiB"),
            (Int64.max, "8.0 EiB"), (-5, "0 B"),
        ] as [(Int64, String)])
    func `A byte count is shown in binary units`(bytes: Int64, text: String) {
        #expect(ByteCount.text(bytes) == text)
    }

    @Test(
        arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (1_048_576, "1,048,576"), (-1, "0")] as [(Int64, String)])
    func `A byte count with all its digits has groups of three`(bytes: Int64, text: String) {
        #expect(ByteCount.digits(bytes) == text)
    }

    @Test(
        arguments: [
            (1_288_490_189, 3_650_722_202, false, "1.2/3.4 GiB"), (524_288, 3_650_722_202, false, "512 KiB/3.4 GiB"),
            (2048, 4096, true, "2.0/~4.0 KiB"),
        ] as [(Int64, Int64, Bool, String)])
    func `Two byte counts of one magnitude share their unit, and a tilde marks an estimate`(
        bytes: Int64, total: Int64, isEstimated: Bool, text: String
    ) {
        #expect(ByteCount.text(bytes, of: total, isEstimated: isEstimated) == text)
    }

    @Test(arguments: [nil, Double.infinity, -Double.infinity, .nan, -1] as [Double?])
    func `A rate that is unknown or impossible is shown as dashes`(rate: Double?) {
        #expect(ByteCount.rate(rate) == "-- B/s")
    }

    @Test func `A rate has the units of a byte count, per second`() {
        #expect(ByteCount.rate(8_493_466) == "8.1 MiB/s")
        #expect(ByteCount.rate(.greatestFiniteMagnitude) == "8.0 EiB/s")
    }
}
