import Foundation

@testable import NetworkQueueKit
@testable import netqueue

/// The texts that a former run has stored, and that others may have changed.
let storedTexts = [
    FuzzTarget(
        text: "sidecar",
        seeds: [
            """
            NetworkQueueKit part 1
            url http://example.com/file
            etag "0123"
            modified Sun, 06 Nov 1994 08:49:37 GMT
            total 300000
            coding gzip
            have 0-65535 131072-196607
            boot 5a9f
            synced 65536
            end
            have 0-131071 196608-262143

            """,
            "NetworkQueueKit part 1\nurl x\nlast-modified Sun, 06 Nov 1994 08:49:37 GMT\nboot \nsynced 0\nend\n",
        ]
    ) { text in
        guard let sidecar = Sidecar(text) else { return }
        precondition(Sidecar(sidecar.text) == sidecar)
        precondition(sidecar.synced >= 0 && sidecar.total ?? 0 >= 0 && sidecar.trustedRest ?? 0 >= 0)
        precondition(sidecar.trustedLength(of: 5) >= 0)
        var end: Int64 = 0
        for range in sidecar.ranges ?? [] {
            precondition(range.lowerBound >= end && range.upperBound <= sidecar.total ?? .max)
            end = range.upperBound
        }
    },
    FuzzTarget("record", bytes: [records]) { bytes in
        guard let records = try? JSONDecoder().decode([NetworkRequest.Record].self, from: Data(bytes)) else { return }
        for record in records {
            let request = NetworkRequest(record)
            _ = (String(describing: record), request.description, request.curlCommand())
        }
        _ = try? JSONEncoder().encode(records)
    },
    FuzzTarget("tus", seeds: [#"{"url":"http:\/\/h\/files\/1","expires":781234567}"#]) { bytes in
        guard let state = try? JSONDecoder().decode(TusUpload.State.self, from: Data(bytes)) else { return }
        var upload = TusUpload(length: 5, pieceLength: 2, state: state)
        _ = (upload.next(), upload.state)
    },
    FuzzTarget("status", bytes: [(try? JSONEncoder().encode(JobStatus())).map(Array.init) ?? []]) { bytes in
        guard let status = try? JobStatus.decode(Data(bytes)) else { return }
        precondition(status.progress.fractionCompleted >= 0 && status.start != nil)
        var board = StatusBoard(isOnce: true)
        board.take([("a", .status(status, age: .zero)), ("b", .status(status, age: .seconds(90)))], now: .now)
        _ = (board.model, board.notes)
    },
]

private let records: [UInt8] = {
    let requests = ["http://h/a", "https://h/b?c"].compactMap { URL(string: $0) }.map { url in
        var request = NetworkRequest(url)
        request.destination = .file(URL(filePath: "/tmp/a"))
        request.retryPolicy = RetryPolicy(maxRetries: 3, backoff: .constant(.seconds(1)))
        request.expectedDownloadSize = 5
        request.headers["X-A"] = "b"
        request.group = "g"
        return request.record
    }
    return (try? JSONEncoder().encode(requests)).map(Array.init) ?? []
}()
