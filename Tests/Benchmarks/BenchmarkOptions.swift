import Foundation

/// What the command line asks for.
struct BenchmarkOptions {
    enum Scenario {
        /// No network: what the queue itself costs.
        case queue
        case download(DownloadScenario.Name)
        case upload
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static let usage = """
        usage: netqueue-bench SCENARIO [--url URL] [--file PATH] [--requests N] [--concurrency C]
                              [--bytes-per-second N] [--rounds R] [--contender NAME] [--json]

          small, medium    GET --requests times --url, --concurrency at a time, content thrown away
          sizing           the same with a HEAD for each request first; every request has a URL of its own
          upload           PUT --file --requests times to names below --url, --concurrency at a time
          queue            no network: adding, running, cancelling at 1,000 to 1,000,000 requests

        Without --contender every contender runs in turn, each in a process of its own, for --rounds rounds; the medians
        and their ratios to raw URLSession are printed. Uploads are networkqueue-curl's then. Contenders: \(Contender.allCases.map(\.rawValue).joined(separator: ", ")).
        """

    var scenario = Scenario.queue
    var url: URL?
    var file: URL?
    var requests = 10_000
    var concurrency = 4
    var rounds = 5
    var bytesPerSecond: Int?
    var contender: Contender?
    var isJSON = false
    var sizes = [1_000, 10_000, 100_000, 1_000_000]

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        guard let name = rest.popFirst() else { throw Failure(description: "no scenario") }
        if name == "queue" {
            scenario = .queue
        } else if name == "upload" {
            scenario = .upload
            requests = 4
        } else if let download = DownloadScenario.Name(rawValue: name) {
            scenario = .download(download)
            requests = download.defaultRequests
        } else {
            throw Failure(description: "unknown scenario \(name)")
        }
        while let option = rest.popFirst() {
            if option == "--json" {
                isJSON = true
                continue
            }
            guard let value = rest.popFirst() else { throw Failure(description: "\(option) needs a value") }
            switch option {
            case "--url": url = URL(string: value)
            case "--file": file = URL(filePath: value)
            case "--requests": requests = try Self.number(value)
            case "--concurrency": concurrency = try Self.number(value)
            case "--bytes-per-second": bytesPerSecond = try Self.number(value)
            case "--rounds": rounds = try Self.number(value)
            case "--sizes": sizes = try value.split(separator: ",").map { try Self.number(String($0)) }
            case "--contender":
                guard let found = Contender(rawValue: value) else {
                    throw Failure(description: "unknown contender \(value)")
                }
                contender = found
            default: throw Failure(description: "unknown option \(option)")
            }
        }
        if case .download = scenario, url == nil { throw Failure(description: "--url is needed") }
    }

    private static func number(_ text: String) throws -> Int {
        guard let number = Int(text), number > 0 else { throw Failure(description: "not a number: \(text)") }
        return number
    }
}
