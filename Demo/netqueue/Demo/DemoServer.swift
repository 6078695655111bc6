import LoopbackHTTP

/// The demo's embedded server.
struct DemoServer {
    private let server: LoopbackServer

    /// Serves the files of `plan` at the rates given by `pace`.
    init(_ plan: DemoPlan, pace: ((DemoFile) -> Int64)?) throws {
        server = try LoopbackServer(recordsRequests: false)
        for file in plan.files {
            var response = file.response
            if let pace {
                response = response.paced(bytesPerSecond: pace(file)).delayed(head: DemoPlan.latency)
            }
            server.serve("/" + file.path, response)
        }
    }

    /// The downloads from the server into `folder`.
    func downloads(_ plan: DemoPlan, to folder: ScratchFolder) -> [Download] {
        plan.files.map {
            Download(
                entry: ListEntry(address: server.url($0.path).absoluteString),
                path: folder.file($0.path).path(percentEncoded: false),
                name: $0.path, onConflict: .fail)
        }
    }

    func stop() {
        server.stop()
    }
}
