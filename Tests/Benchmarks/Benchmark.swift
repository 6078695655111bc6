import Foundation

/// `netqueue-bench`: measures the library against what it is built on.
@main
enum Benchmark {
    static func main() async {
        do {
            let options = try BenchmarkOptions(Array(CommandLine.arguments.dropFirst()))
            switch options.scenario {
            case .queue:
                QueueScenario.run(sizes: options.sizes).forEach { print($0) }
            case .upload:
                let measurement = try await UploadScenario(options: options).run(
                    options.contender ?? .networkQueueCurl)
                print(options.isJSON ? measurement.json : measurement.line)
            case .download(let scenario):
                if let contender = options.contender {
                    let measurement = try await DownloadScenario(name: scenario, options: options).run(contender)
                    print(options.isJSON ? measurement.json : measurement.line)
                } else {
                    try Comparison(scenario: scenario, options: options).run()
                }
            }
        } catch {
            FileHandle.standardError.write(Data("netqueue-bench: \(error)\n\n\(BenchmarkOptions.usage)\n".utf8))
            exit(2)
        }
    }
}
