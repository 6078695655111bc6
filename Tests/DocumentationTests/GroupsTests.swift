import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

/// Runs the snippets of "Groups".
@Suite(.timeLimit(.minutes(10)))
struct GroupsTests {
    @Test func `Each album has its progress, its end and its summary`() async throws {
        let folder = try TemporaryFolder()
        let server = try LoopbackServer(fallback: .text("hello"))
        let queue = NetworkQueue(delegateQueue: DispatchQueue(label: "snippets"))
        let ends = Gathering<String>()
        let delegate = GroupsSnippets.Delegate { ends.add($0) }
        queue.delegate = delegate
        let albums = ["first", "second"].map { name in
            GroupsSnippets.Album(name: name, tracks: ["1", "2"].map { server.url("/\(name)-\($0)") })
        }
        let lines = Gathering<String>()
        queue.isSuspended = true
        GroupsSnippets.add(albums, to: queue, in: folder.url)
        GroupsSnippets.show(queue) { lines.add($0) }
        #expect(lines.values == ["first: 0 of 2", "second: 0 of 2"])
        queue.isSuspended = false
        await queue.run()
        #expect(ends.values.sorted() == ["first: 2 files, 10 bytes", "second: 2 files, 10 bytes"])
    }
}
