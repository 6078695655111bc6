import Foundation
import Testing

@testable import NetworkQueueKit

struct OutageRecordTests {
    private let record = OutageRecord()

    private func origin(_ port: Int) throws -> Origin {
        try #require(URL(string: "http://host.test:\(port)/").flatMap { Origin($0) })
    }

    @Test func `The record keeps when each origin was first out of reach, until it answers`() throws {
        #expect(record.isEmpty)
        #expect(try record.noteFailure(of: origin(1), at: .seconds(10)) == .seconds(10))
        #expect(try record.noteFailure(of: origin(2), at: .seconds(20)) == .seconds(20))
        #expect(try record.noteFailure(of: origin(1), at: .seconds(50)) == .seconds(10))
        try record.noteResponse(of: origin(1))
        #expect(!record.isEmpty)
        try record.noteResponse(of: origin(2))
        #expect(record.isEmpty)
        #expect(try record.noteFailure(of: origin(1), at: .seconds(60)) == .seconds(60))
    }

    @Test func `The record forgets an outage when there has been no failure for five minutes`() throws {
        #expect(try record.noteFailure(of: origin(1), at: .zero) == .zero)
        #expect(try record.noteFailure(of: origin(1), at: .seconds(299)) == .zero)
        #expect(try record.noteFailure(of: origin(1), at: .seconds(598)) == .zero)
        #expect(try record.noteFailure(of: origin(1), at: .seconds(898)) == .seconds(898))
    }

    @Test func `The record keeps only so many origins, those with the latest failures`() throws {
        let capacity = OutageRecord.capacity
        for port in 1...capacity { _ = try record.noteFailure(of: origin(port), at: .milliseconds(port)) }
        #expect(try record.noteFailure(of: origin(1), at: .seconds(1)) == .milliseconds(1))
        // In place of the second, whose failure is now the oldest.
        #expect(try record.noteFailure(of: origin(capacity + 1), at: .seconds(2)) == .seconds(2))
        #expect(try record.noteFailure(of: origin(1), at: .seconds(3)) == .milliseconds(1))
        #expect(try record.noteFailure(of: origin(3), at: .seconds(3)) == .milliseconds(3))
        #expect(try record.noteFailure(of: origin(2), at: .seconds(3)) == .seconds(3))
    }
}
