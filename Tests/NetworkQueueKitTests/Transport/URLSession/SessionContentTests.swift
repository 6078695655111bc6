import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

@Suite(.timeLimit(.minutes(10)))
struct SessionContentTests {
    /// Content that can only be read.
    private struct Pattern: ExchangeBody {
        let length: Int64
        var failsAt: Int64 = .max

        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
            if offset >= failsAt { throw POSIXError(.EIO) }
            let count = Int(min(Int64(buffer.count), length - offset))
            for index in 0..<count { buffer[index] = UInt8(truncatingIfNeeded: offset + Int64(index)) }
            return count
        }
    }

    private func content(_ body: (any ExchangeBody)?, _ policy: SessionPolicy = .apple) throws -> SessionContent {
        try SessionContent(body, policy: policy, isWanted: { true })
    }

    private func form(_ body: (any ExchangeBody)?, _ policy: SessionPolicy = .apple) throws -> String {
        switch try content(body, policy) {
        case .data(let data): data.map { "\($0.count) bytes" } ?? "nothing"
        case .file(_, let url): "file \(url.lastPathComponent)"
        case .spool: "copy"
        case .stream: "stream"
        }
    }

    @Test func `A file is sent by the session itself on Apple and read on Linux`() throws {
        let folder = try TemporaryFolder()
        let url = try folder.write(Data("content".utf8), to: "a")
        var request = NetworkRequest(AppleSession.url)
        request.body = .file(url)
        let body = try RunBody(of: request).prepare()
        #expect(try form(body) == "file a")
        #expect(try form(body, .linux) == "7 bytes")
    }

    @Test func `A file that changes while the session sends it fails the exchange`() async throws {
        let folder = try TemporaryFolder()
        let url = try folder.write(Data("content".utf8), to: "a")
        var request = NetworkRequest(AppleSession.url)
        request.body = .file(url)
        let source = RunBody(of: request)
        let session = AppleSession(content: try content(try source.prepare()))
        _ = try folder.write(Data("another content".utf8), to: "a")
        try session.respond()
        session.end()
        #expect(await session.receiver.end().error?.code == .requestBodyStreamExhausted)
        #expect(source.endExchange()?.code == .bodyUnavailable)
        #expect(throws: (any Error).self) { try content(try source.prepare()) }
    }

    @Test func `Large content is a stream on Apple and a copy on Linux, small content is in memory`() throws {
        #expect(try form(nil) == "nothing")
        #expect(try form(Pattern(length: 1 << 20)) == "1048576 bytes")
        #expect(try form(Pattern(length: (1 << 20) + 1)) == "stream")
        #expect(try form(Blank(length: (64 << 20) + 1), .linux) == "copy")
    }

    @Test func `A stream gets the whole content`() throws {
        let stream = OutputStream(toMemory: ())
        try BodyStream.write(Pattern(length: 200_001), to: stream)
        let data = stream.property(forKey: .dataWrittenToMemoryStreamKey) as? Data
        #expect(data == Data((0..<200_001).map { UInt8(truncatingIfNeeded: $0) }))
    }

    @Test func `A stream of content that cannot be read throws why`() {
        #expect(throws: POSIXError(.EIO)) {
            try BodyStream.write(Pattern(length: 200_000, failsAt: 1), to: OutputStream(toMemory: ()))
        }
        #expect(throws: URLError.self) {
            try BodyStream.write(EmptyBody(), to: OutputStream(toMemory: ()))
        }
    }

    private struct Blank: ExchangeBody {
        let length: Int64
        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
            Int(min(Int64(buffer.count), length - offset))
        }
    }

    private struct EmptyBody: ExchangeBody {
        let length: Int64 = 1
        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int { 0 }
    }
}
