import Dashboard
import Foundation
import NetworkQueueKit

/// `netqueue upload FILE… URL`.
struct UploadCommand {
    let options: UploadOptions

    func run() async throws(UsageError) -> Ending {
        let environment = ProcessInfo.processInfo.environment
        guard let url = URLText.url(options.url) else { throw UsageError(URLText.complaint(options.url)) }
        let decoration = try RequestDecoration(options.transfer, environment: environment)
        let transport = try options.transfer.connection.makeTransport(environment: environment)
        let items = try requests(to: url).map { name, request in
            var request = request
            request.tag = name
            request.destination = .sink(AnswerSink())
            decoration.decorate(&request)
            return PlainItem(name: name, request: request)
        }
        let configuration = try options.transfer.configurationWithCookies()
        let output = CommandOutput(options.transfer)
        let interruption = Interruption()
        let signals = TerminalSignals(display: output.display, interruption: interruption)
        defer { signals.stop() }
        let report = await Job(
            verb: "Uploading", items: items, configuration: configuration, transport: transport,
            display: output.display, interruption: interruption, failures: output.failures, netrc: decoration.netrc,
            listeners: output.listeners
        ).run().report
        return output.ending(report, report.text())
    }

    private func requests(to url: URL) throws(UsageError) -> [(name: String, request: NetworkRequest)] {
        guard options.form.isEmpty else { return [("form", .post(url, body: .multipart(try form())))] }
        var requests: [(name: String, request: NetworkRequest)] = []
        for path in options.files {
            let file = try file(path)
            let target = options.url.hasSuffix("/") ? url.appending(component: file.lastPathComponent) : url
            requests.append((path, .put(target, body: .file(file))))
        }
        if let clash = Dictionary(grouping: requests, by: \.request.url).values.first(where: { $0.count > 1 }) {
            throw UsageError(
                "“\(clash[0].name)” and “\(clash[1].name)” would both go to \(URLText.shown(clash[0].request.url))")
        }
        return requests
    }

    private func form() throws(UsageError) -> MultipartForm {
        var form = MultipartForm()
        for field in options.form {
            if let text = field.text { form.append(text, name: field.name) }
            if let path = field.file { form.append(file: try file(path), name: field.name) }
        }
        return form
    }

    /// A file that is there and can be read: better known before anything is sent.
    private func file(_ path: String) throws(UsageError) -> URL {
        guard let reason = SystemFile.obstacle(to: path) else {
            return URL(filePath: path, directoryHint: .notDirectory)
        }
        throw UsageError("“\(path)” cannot be read: \(reason.reason)")
    }
}
