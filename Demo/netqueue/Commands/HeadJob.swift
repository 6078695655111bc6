import NetworkQueueKit

/// Asks servers about files: by HEAD, and by a GET for the first byte where HEAD is refused. Transfers no content.
struct HeadJob {
    /// The statuses with which servers refuse HEAD only; presigned URLs answer 403.
    static let refusals = [400, 403, 405, 501]

    private let decoration: RequestDecoration
    private let transport: any Transport
    private let configuration: NetworkQueue.Configuration

    init(_ options: Options, _ settings: RunSettings) {
        (decoration, transport) = (settings.decoration, settings.transport)
        var configuration = settings.configuration
        configuration.maxConcurrentRequestCount = options.checkers ?? configuration.maxConcurrentSizingCount
        // The requests themselves determine the sizes, and store nothing.
        configuration.showsAccurateProgress = false
        configuration.requiresSpace = false
        self.configuration = configuration
    }

    /// Runs until every server has answered, or a signal or a failure has canceled the rest.
    ///
    /// - Parameters:
    ///   - numbers: The numbers of the files.
    ///   - verb: The verb in the first line of a log.
    ///   - badCount: The number of invalid lines, which count as failed files.
    ///   - bytes: The number to show in place of the received bytes.
    ///   - entry: Returns the entry of a file, and a name that is unique within the job.
    ///   - note: Called with each file's number and answer.
    func run(
        _ numbers: [Int], verb: String, badCount: Int, output: CommandOutput, interruption: Interruption,
        bytes: @escaping @Sendable () -> Int64, entry: @escaping @Sendable (Int) -> (ListEntry, name: String),
        note: @escaping @Sendable (Int, RequestOperation) -> Void
    ) async -> JobReport {
        let answers = HeadAnswers(output.listeners, note)
        var output = output
        output.listeners = [answers]
        func ask(_ numbers: [Int], _ verb: String, badCount: Int, isRefused: Bool) async -> JobReport {
            let items = ItemFeed(numbers) { number in
                let (entry, name) = entry(number)
                var request = request(for: entry, name, isRefused: isRefused)
                request.userInfo[HeadAnswers.number] = number
                return request
            }
            return await Job(
                verb: verb, items: items, configuration: configuration, transport: transport, output: output,
                interruption: interruption, decoration: decoration, others: { .init(failed: badCount) }, bytes: bytes
            ).run()
        }
        var report = await ask(numbers, verb, badCount: badCount, isRefused: false)
        // The user has asked for the answers, so a GET is justified.
        let refused = answers.refused
        if !refused.isEmpty, interruption.signal == nil {
            report.replace(
                refused.count, by: await ask(refused, "Retrying the sizes of", badCount: 0, isRefused: true))
        }
        return report
    }

    private func request(for entry: ListEntry, _ name: String, isRefused: Bool) -> NetworkRequest {
        var request: NetworkRequest
        if isRefused {
            request = .firstByte(of: entry.url)
            request.retryPolicy = configuration.retryPolicy
        } else {
            request = .head(entry.url)
            request.validation = .statusCodes(Array(200..<300) + Self.refusals)
            request.mirrors = entry.mirrors
        }
        for header in entry.headers { header.add(to: &request.headers) }
        request.tag = name
        request.group = entry.group
        decoration.decorate(&request)
        return request
    }
}

/// Passes on the answers of servers. It forwards all events to other listeners, except the end of a refused HEAD,
/// because that file is asked about again.
private final class HeadAnswers: JobListener {
    /// The key of a file's number in its request.
    static let number = "number"

    private let listeners: [any JobListener]
    private let note: @Sendable (Int, RequestOperation) -> Void
    private let refusedNumbers = Locked<[Int]>([])

    init(_ listeners: [any JobListener], _ note: @escaping @Sendable (Int, RequestOperation) -> Void) {
        (self.listeners, self.note) = (listeners, note)
    }

    /// The numbers of the files whose HEAD was refused, in their order.
    var refused: [Int] { refusedNumbers.withLock { $0.sorted() } }

    func receive(_ event: JobEvent) {
        if case .finished(let operation, _, _) = event, let number = operation.request.userInfo[Self.number] as? Int {
            let status = operation.responseHead?.statusCode ?? 0
            if operation.request.method == "HEAD", HeadJob.refusals.contains(status) {
                return refusedNumbers.withLock { $0.append(number) }
            }
            note(number, operation)
        }
        for listener in listeners { listener.receive(event) }
    }
}
