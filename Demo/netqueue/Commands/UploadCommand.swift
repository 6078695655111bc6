import Foundation
import NetworkQueueKit

/// `netqueue upload FILE… URL`.
struct UploadCommand {
    let options: Options

    func run() async throws(UsageError) -> Ending {
        guard let url = URLText.url(options.target) else { throw UsageError(URLText.complaint(options.target)) }
        let plan = try UploadPlan(options)
        if options.isDryRun { return try list(plan, to: url) }
        let decoration = try RequestDecoration(options)
        let transport = try options.makeTransport()
        let configuration = try options.configurationWithCookies()
        let folders = options.makesFolders ? ServerFolders(configuration, transport, decoration) : nil
        let requests = try requests(plan, to: url, folders)
        let items = requests.map { request in
            var request = request
            request.destination = .sink(AnswerSink())
            decoration.decorate(&request)
            return request
        }
        let record = try UploadRecord(options, plan)
        var output = try CommandOutput(options).writingStatus()
        output.listeners += record.listeners
        output.tell(plan.bad)
        if items.isEmpty {
            return output.ending(withoutItems: plan.bad, nothing, complaint: await record.write([], output))
        }
        if output.writesJSON { output.tell(PlanReport(uploads: requests.map(\.currentBodyLength))) }
        var (report, complaint) = await output.run { [output] interruption in
            let report = await Job(
                verb: "Uploading", items: ItemFeed(items), configuration: configuration, transport: transport,
                output: output, interruption: interruption, decoration: decoration,
                others: { [count = plan.bad.count] in .init(failed: count) }, stop: options.stop,
                // The responses do not count as sent bytes.
                bytes: { 0 }
            ).run()
            return (report, await record.write(report.unfinished, output))
        }
        report.add(plan.bad)
        return output.ending(report, report.text(), complaint: complaint)
    }

    /// Lists what would be sent, without a connection.
    private func list(_ plan: UploadPlan, to url: URL) throws(UsageError) -> Ending {
        let requests = try requests(plan, to: url)
        let forecasts = requests.indices.map { index in
            let request = requests[index]
            let file = options.form.isEmpty ? plan.files[index].path : nil
            let isInput = file == Options.standardInput
            return Forecast(
                name: request.tag ?? "", url: request.url,
                file: isInput ? nil : file.map { URL(filePath: $0).path(percentEncoded: false) },
                size: isInput ? nil : request.currentBodyLength)
        }
        let output = CommandOutput(options)
        output.tell(plan.bad)
        if forecasts.isEmpty { return output.ending(withoutItems: plan.bad, nothing) }
        for forecast in forecasts { output.tell(forecast) }
        let total = PlanReport(uploads: forecasts.map(\.size))
        output.tell(total)
        var report = JobReport(counts: .init(finished: forecasts.count))
        report.add(plan.bad)
        return output.ending(
            report, report.failuresText.fitting(.current),
            product: forecasts.map(\.line).joined()
                + SizeTable.total(total.knownBytes, total.count, unknown: total.unknownSizes) + "\n")
    }

    private var nothing: String { options.emptyText("upload", because: "no files") }

    /// The requests to send, each tagged with its name.
    ///
    /// - Parameter folders: Makes the folders of files with a path below the URL; `nil` if they are not to be made.
    private func requests(
        _ plan: UploadPlan, to url: URL, _ folders: ServerFolders? = nil
    ) throws(UsageError) -> [NetworkRequest] {
        guard options.form.isEmpty else {
            var request = NetworkRequest.post(url, body: .multipart(try form()))
            request.tag = "form"
            return [request]
        }
        var requests: [NetworkRequest] = []
        for file in plan.files {
            // In a dry run, the standard input is not read.
            let isSpooled = file.path == Options.standardInput && !options.isDryRun
            let path = URL(
                filePath: isSpooled ? try SpooledInput.path() : file.path, directoryHint: .notDirectory)
            let isFolder = options.target.ends(withBytesOf: "/") && !options.usesTus
            let target = isFolder ? file.target.reduce(url) { $0.appending(component: $1) } : url
            var request = NetworkRequest.upload(path, to: target, protocol: options.usesTus ? .tus : .put)
            request.tag = file.name
            request.uploadCondition = options.uploadCondition
            if let folders, options.isRecursive, isFolder {
                let keeper = FolderKeeper(folders, ServerFolders.folders(of: file.target, below: url))
                request.adapters = [keeper]
                request.retryDecider = keeper
            }
            requests.append(request)
        }
        if !options.usesTus { try check(requests, of: plan) }
        return requests
    }

    /// Throws if two files have the same URL.
    private func check(_ requests: [NetworkRequest], of plan: UploadPlan) throws(UsageError) {
        let clashes = Dictionary(grouping: requests.indices) { requests[$0].url }
        guard let (url, clash) = clashes.first(where: { $1.count > 1 }) else { return }
        let paths = clash.map { plan.files[$0].path }
        throw UsageError("“\(paths[0])” and “\(paths[1])” would both be uploaded to \(URLText.shown(url))")
    }

    private func form() throws(UsageError) -> MultipartForm {
        var form = MultipartForm()
        for field in options.form {
            if let text = field.text { form.append(text, name: field.name) }
            if let path = field.file { form.append(file: try file(path), name: field.name) }
        }
        return form
    }

    /// The URL of a file, checked for readability before anything is sent.
    private func file(_ path: String) throws(UsageError) -> URL {
        guard let reason = POSIXFile.obstacle(to: path) else {
            return URL(filePath: path, directoryHint: .notDirectory)
        }
        throw UsageError("“\(path)” cannot be read: \(reason.reason)")
    }
}
