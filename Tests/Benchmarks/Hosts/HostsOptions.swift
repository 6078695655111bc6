/// What `netqueue-bench hosts` is asked for.
struct HostsOptions {
    static let usage = """
        usage: netqueue-bench hosts [--counts N,…] [--widths N,…] [--requests N] [--rounds R]

        GETs of 1 KiB from many hosts, 127.0.x.y, each over a connection of its own, 32 at a time and 16 at most to a host: what a
        request costs, and what it costs in the queue alone, without a network. Then fifty hosts, two at a time to a host, with and
        without one whose connects hang: how long the others take, and how long they would if only slots counted, of which it has two.
        The benchmark starts an nginx for it.

          --counts    how many hosts (default 1,20,200,2000)
          --widths    how many at a time beside a host that hangs, three at least (default 16,32)
          --requests  how many in all (default 8000)
          --rounds    how many times each is measured (default 5)
        """

    var counts = [1, 20, 200, 2000]
    var widths = [16, 32]
    var requests = 8000
    var rounds = 5

    init(_ arguments: [String]) throws {
        var reader = ArgumentReader(arguments)
        while let option = reader.next() {
            switch option {
            case "--counts": counts = try reader.numbers()
            case "--widths":
                widths = try reader.numbers()
                guard widths.allSatisfy({ $0 > 2 }) else { throw BenchmarkFailure("--widths takes three at least") }
            case "--requests": requests = try reader.number()
            case "--rounds": rounds = try reader.number()
            case "--help": throw BenchmarkFailure(Self.usage)
            default: throw BenchmarkFailure("unknown option \(option)\n\n\(Self.usage)")
            }
        }
    }
}
