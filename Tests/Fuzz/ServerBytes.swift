import Foundation
import LoopbackHTTP
import NetworkQueueKit
import Synchronization

/// What a server sends, through `CurlTransport`. `URLSessionTransport` is left out: Foundation on Linux ends the process
/// on some of it, which no client can prevent.
///
/// The first byte of an input chooses the request, the rest is the answer to it.
let serverBytes = FuzzTarget(
    "server",
    seeds: [
        "aHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        "aHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        "bHTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 9\r\n\r\nhello",
        "bHTTP/1.1 302 Found\r\nLocation: /b\r\n\r\n",
        "cHTTP/1.1 206 Partial\r\nContent-Range: bytes 2-4/5\r\nContent-Length: 3\r\n\r\nllo",
        "cHTTP/1.1 416 No\r\nContent-Range: bytes */5\r\n\r\n",
        "dHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\n\r\n",
        "dHTTP/1.1 401 No\r\nWWW-Authenticate: Digest realm=\"r\", nonce=\"n\", qop=\"auth\"\r\nContent-Length: 0\r\n\r\n",
        "eHTTP/1.1 204 None\r\nSet-Cookie: a=b\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", "aHTTP/1.0 200\r\n\r\nhello",
        "aHTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nhello", "a<html>",
    ]
) { bytes in
    guard let rig = ServerRig.shared else { preconditionFailure("There is no server, or no libcurl.") }
    if let first = bytes.first { rig.run(first, answer: Array(bytes.dropFirst())) }
}

/// A server and a queue whose request gets one answer after the other.
private final class ServerRig: Sendable {
    static let shared = try? ServerRig()

    private let server: LoopbackServer
    private let answer = Mutex<[UInt8]>([])
    private let queue: RequestQueue
    private let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "fuzz.\(getpid())")

    private init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var configuration = TransportConfiguration()
        configuration.connectTimeout = .seconds(5)
        guard let transport = CurlTransport(configuration: configuration) else { throw POSIXError(.ENOSYS) }
        server = try LoopbackServer(fallback: .status(404), recordsRequests: false)
        queue = RequestQueue(transport: transport)
        queue.retryPolicy = .never
        server.serve("/a") { [self] _ in .raw(Data(answer.withLock { $0 })) }
    }

    func run(_ choice: UInt8, answer bytes: [UInt8]) {
        answer.withLock { $0 = bytes }
        let file = folder.appending(path: "file")
        var request = NetworkRequest(server.url("/a"))
        request.credential = URLCredential(user: "u", password: "p", persistence: .none)
        (request.idleTimeout, request.totalTimeout, request.maxDecodedSize) = (.seconds(5), .seconds(10), 1 << 20)
        switch choice % 5 {
        case 0: break
        case 1: request.destination = .file(file)
        case 2:
            request.headers["Range"] = "bytes=2-"
            request.acceptsCompressed = false
        case 3:
            request.method = "PUT"
            request.body = .data(Data("content".utf8))
        default: request.method = "HEAD"
        }
        let operation = queue.add(request)
        // libFuzzer ends the process if this takes too long.
        operation.waitUntilFinished()
        if case .success(let response)? = operation.result {
            precondition((200..<300).contains(response.head.statusCode))
            // Content that is stored is whole.
            if let length = response.head.expectedContentLength, choice % 5 == 1,
                response.head.headers["Content-Encoding"] == nil
            {
                let size = try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int64
                precondition(size == length, "The file has \(size ?? -1) bytes of \(length).")
            }
        }
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
            try? FileManager.default.removeItem(at: folder.appending(path: name))
        }
    }
}
