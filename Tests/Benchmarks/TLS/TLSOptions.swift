/// What `netqueue-bench tls` is asked for.
struct TLSOptions {
    static let usage = """
        usage: netqueue-bench tls [--requests N] [--widths N,…] [--rounds R] [--contenders NAME,…] [--json]

        GETs of 1 KiB over TLS from an nginx that the benchmark starts, by HTTP/1.1 and by HTTP/2, each time without a connection
        or a session to begin with; content is thrown away. Connections and handshakes are told by the server's log.

          --requests    how many (default 2000)
          --widths      how many at a time (default 1,4,16,64)
          --rounds      how many times each contender runs (default 5)
          --contenders  those that take part: \(known.map(\.rawValue).joined(separator: ", "))
        """

    static let known: [LineContender] = [.unsized, .curl, .curlLoop]

    var requests = 2000
    var widths = [1, 4, 16, 64]
    var rounds = 5
    var contenders = TLSOptions.known
    var isJSON = false

    init(_ arguments: [String]) throws {
        var reader = ArgumentReader(arguments)
        while let option = reader.next() {
            switch option {
            case "--requests": requests = try reader.number()
            case "--widths": widths = try reader.numbers()
            case "--rounds": rounds = try reader.number()
            case "--contenders": contenders = try reader.contenders()
            case "--json": isJSON = true
            case "--help": throw BenchmarkFailure(Self.usage)
            default: throw BenchmarkFailure("unknown option \(option)\n\n\(Self.usage)")
            }
        }
        contenders = contenders.filter { Self.known.contains($0) && $0.isInstalled }
    }
}
