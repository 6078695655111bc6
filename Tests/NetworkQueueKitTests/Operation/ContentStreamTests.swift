import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

/// What a stream does between two attempts: only there it depends on what has been read.
@Suite(.timeLimit(.minutes(10)))
struct ContentStreamTests {
    private let stream = ContentStream()
    private let head = ResponseHead(statusCode: 200, headers: [:], url: .test("a"))

    /// Writes in a task that is cancelled, as that of an attempt which has broken off: the call does not wait for a
    /// reader.
    private func writeWithoutWaiting(_ text: String) async {
        await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try? await stream.write(Data(text.utf8))
        }.value
    }

    /// What is read next, by a reader that is there before this returns.
    @available(macOS 26, iOS 26, tvOS 26, visionOS 26, *)
    private func reading() -> Task<Data?, any Error> {
        Task.immediate { try await stream.next() }
    }

    @Test func `A stream does not start over once a chunk has been read that waited for its reader`() async throws {
        await writeWithoutWaiting("read")
        #expect(try await stream.next() == Data("read".utf8))
        #expect(!stream.mayStartOver())
    }

    @available(macOS 26, iOS 26, tvOS 26, visionOS 26, *)
    @Test func `A stream does not start over once a chunk has come for a reader that waited`() async throws {
        let reading = reading()
        await writeWithoutWaiting("read")
        #expect(try await reading.value == Data("read".utf8))
        #expect(!stream.mayStartOver())
    }

    @available(macOS 26, iOS 26, tvOS 26, visionOS 26, *)
    @Test func `A stream that starts over drops the chunk that has not been read`() async throws {
        await writeWithoutWaiting("lost")
        #expect(stream.mayStartOver())
        let reading = reading()
        try await stream.begin(head)
        await writeWithoutWaiting("whole")
        #expect(try await reading.value == Data("whole".utf8))
    }

    @available(macOS 26, iOS 26, tvOS 26, visionOS 26, *)
    @Test func `A stream that starts over drops the late chunks of the former attempt`() async throws {
        #expect(stream.mayStartOver())
        await writeWithoutWaiting("late")
        let reading = reading()
        try await stream.begin(head)
        await writeWithoutWaiting("whole")
        #expect(try await reading.value == Data("whole".utf8))
    }
}
