/// What `netqueue-bench wan` is asked for.
struct WanOptions {
    static let usage = """
        usage: netqueue-bench wan [--small] [--large] [--mix] [--rtt MS,…] [--widths N,…] [--mbit N] [--rounds R]
                                  [--contenders NAME,…] [--http2] [--json]

        Downloads over a line with a round trip and a bandwidth, from an nginx that the benchmark starts; Linux only. All of
        the defaults together take hours. Files are in memory (/dev/shm) where there is such a place, unless TMPDIR is set.
        A library's time begins before its first connection, a program's includes its start; each run's files are checked.

          --small       400 files of 2 to 40 KB
          --large       20 files of 5 MB
          --mix         both, a large one after every 20 small ones; without any of the three, all of them
          --rtt         round trips in ms (default 10,50,200)
          --widths      how many requests at a time (default 1,6,16,64)
          --mbit        the bandwidth in Mbit/s, for each direction (default 100)
          --rounds      how many times each contender runs (default 5)
          --contenders  those that take part (default all that are installed): \(
              LineContender.allCases.map(\.rawValue).joined(separator: ", "))
          --http2       HTTP/2 over TLS at --widths (default 64), and HTTP/1.1 over TLS with 6 at a time beside it
        """

    var works: [WanWork] = []
    var roundTrips: [Int] = []
    var widths: [Int] = []
    var megabits = 100
    var rounds = 5
    var contenders = LineContender.allCases
    var usesHTTP2 = false
    var isJSON = false

    init(_ arguments: [String]) throws {
        var reader = ArgumentReader(arguments)
        while let option = reader.next() {
            switch option {
            case "--small": works.append(.small)
            case "--large": works.append(.large)
            case "--mix": works.append(.mix)
            case "--rtt": roundTrips = try reader.numbers()
            case "--widths": widths = try reader.numbers()
            case "--mbit": megabits = try reader.number()
            case "--rounds": rounds = try reader.number()
            case "--contenders": contenders = try reader.contenders()
            case "--http2": usesHTTP2 = true
            case "--json": isJSON = true
            case "--help": throw BenchmarkFailure(Self.usage)
            default: throw BenchmarkFailure("unknown option \(option)\n\n\(Self.usage)")
            }
        }
        if works.isEmpty { works = WanWork.allCases }
        if roundTrips.isEmpty { roundTrips = [10, 50, 200] }
        if widths.isEmpty { widths = usesHTTP2 ? [64] : [1, 6, 16, 64] }
    }
}
