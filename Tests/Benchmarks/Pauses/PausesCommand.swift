import Foundation
import NetworkQueueKit
import Synchronization

/// `netqueue-bench pauses`: a download that is paused and resumed again and again.
struct PausesCommand {
    static let usage = """
        usage: netqueue-bench pauses --url URL --file PATH --size BYTES [--times N]

        Downloads URL into a file that is not there, pauses it N times (default 10) at equal parts of its size, and resumes it
        when it has stopped. Tells how long it took; what the server was asked, and what has come, is for the caller to check.
        """

    private let url: URL
    private let file: URL
    private let size: Int64
    private let times: Int

    init(_ arguments: [String]) throws {
        var (url, file, size, times): (URL?, URL?, Int?, Int) = (nil, nil, nil, 10)
        var reader = ArgumentReader(arguments)
        while let option = reader.next() {
            switch option {
            case "--url": url = URL(webAddress: try reader.value())
            case "--file": file = URL(filePath: try reader.value())
            case "--size": size = try reader.number()
            case "--times": times = try reader.number()
            default: throw BenchmarkFailure("unknown option \(option)\n\n\(Self.usage)")
            }
        }
        guard let url, let file, let size else { throw BenchmarkFailure(Self.usage) }
        (self.url, self.file, self.size, self.times) = (url, file, Int64(size), times)
    }

    func run() async throws {
        let queue = NetworkQueue(delegateQueue: DispatchQueue(label: "pauses"))
        queue.showsAccurateProgress = false
        let operation = RequestOperation(.download(url, to: file))
        let step = size / Int64(times + 1)
        let count = Mutex(0)
        operation.downloadProgressHandler = { [weak operation, times] _, bytes, _ in
            let isDue = count.withLock { count in
                guard count < times, bytes >= Int64(count + 1) * step else { return false }
                count += 1
                return true
            }
            if isDue { operation?.pause() }
        }
        let start = ContinuousClock.now
        let events = queue.events()
        queue.add(operation)
        queue.go()
        var pauses = 0
        for await event in events {
            guard case .didPause(operation) = event else { continue }
            pauses += 1
            operation.resume()
        }
        _ = try operation.result?.get()
        guard operation.status == .finished, pauses == times else {
            throw BenchmarkFailure("\(operation), paused \(pauses) times of \(times)")
        }
        let seconds = start.duration(to: .now) / .seconds(1)
        Output(isJSON: false).text("pauses: \(size) bytes, paused \(pauses) times, in \(format("%.2f", seconds)) s")
    }
}
