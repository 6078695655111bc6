import Foundation
import TestSupport
import Testing

@testable import netqueue

@Suite(.timeLimit(.minutes(10)))
struct LineReaderTests {
    private let pipe = Pipe()
    private var reader: LineReader

    init() {
        reader = LineReader(descriptor: pipe.fileHandleForReading.fileDescriptor)
    }

    private mutating func next() throws -> String? { try reader.next().map { String(decoding: $0, as: UTF8.self) } }

    private func write(_ text: String) throws {
        try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }

    @Test mutating func `Complete lines are returned at a pause, and the rest at the end`() throws {
        try write("a\n b\nc")
        #expect(try next() == "a\n b\n")
        try write("d\ne")
        #expect(try next() == "cd\n")
        #expect(!reader.isAtEnd)
        try pipe.fileHandleForWriting.close()
        #expect(try next() == "e")
        #expect(try next() == nil)
        #expect(reader.isAtEnd)
    }

    @Test mutating func `Input that is already there is returned in one piece`() throws {
        let text = (0..<2000).map { "line \($0)\r\n" }.joined()
        try write(text)
        try pipe.fileHandleForWriting.close()
        #expect(try next() == text)
        #expect(reader.isAtEnd)
    }

    @Test mutating func `An empty input has no lines`() throws {
        try pipe.fileHandleForWriting.close()
        #expect(try next() == nil)
    }

    @Test func `An input without a pause is split between two entries`() throws {
        let writer = pipe.fileHandleForWriting
        // The writer may have to wait for the processor for longer than any pause.
        var reader = LineReader(
            descriptor: pipe.fileHandleForReading.fileDescriptor, pause: .seconds(60), patience: .zero)
        let hasEnough = Locked(false)
        Thread.detachNewThread {
            while !hasEnough.withLock({ $0 }) { try? writer.write(contentsOf: Data("url\n  out=x\n".utf8)) }
            try? writer.close()
        }
        let first = String(decoding: try #require(try reader.next()), as: UTF8.self)
        hasEnough.withLock { $0 = true }
        #expect(first.hasPrefix("url\n") && first.hasSuffix("\n"))
        var rest = ""
        while let text = try reader.next() { rest += String(decoding: text, as: UTF8.self) }
        #expect(rest.hasPrefix("url\n"))
        #expect((first + rest).split(separator: "\n").count.isMultiple(of: 2))
    }

    @Test func `An input that is ended from outside gives the complete lines that were read`() async throws {
        let stop = Pipe()
        let input = pipe.fileHandleForReading.fileDescriptor
        try write("a\nb\npart")
        let lines = AsyncThrowingStream<String, any Error> { continuation in
            // A thread of its own, since it waits.
            Thread.detachNewThread {
                var reader = LineReader(
                    descriptor: input, stop: stop.fileHandleForReading.fileDescriptor, pause: .seconds(600),
                    patience: .seconds(600))
                do {
                    while let text = try reader.next() { continuation.yield(String(decoding: text, as: UTF8.self)) }
                    continuation.finish()
                } catch { continuation.finish(throwing: error) }
            }
        }
        #expect(await eventually { !Self.isReadable(input) })
        try stop.fileHandleForWriting.close()
        #expect(try await lines.reduce(into: []) { $0.append($1) } == ["a\nb\n"])
    }

    private static func isReadable(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) == 1
    }

    @Test mutating func `An input that cannot be read throws the system's error`() throws {
        let folder = open("/", O_RDONLY | O_CLOEXEC)
        defer { close(folder) }
        var reader = LineReader(descriptor: folder)
        #expect(throws: POSIXError(.EISDIR)) { try reader.next() }
    }
}
