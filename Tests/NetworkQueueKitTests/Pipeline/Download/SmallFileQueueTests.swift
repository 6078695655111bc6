import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

/// How small files share threads, without threads and without a disk: the test is both.
@Suite("The queue of small files")
struct SmallFileQueueTests {
    private let store = Store()

    private final class Store: Sendable {
        struct State {
            var log: [String] = []
            var threads: [@Sendable () -> Void] = []
            var time = Duration.zero
            var timePerFile = Duration.zero
        }

        let state = Guarded(State())

        var log: [String] { state.withLock { $0.log } }
        var threadCount: Int { state.withLock { $0.threads.count } }

        func note(_ text: String) { state.withLock { $0.log.append(text) } }

        /// What has been noted since the last time.
        func takeLog() -> [String] {
            state.withLock { state in
                defer { state.log = [] }
                return state.log
            }
        }

        /// Lets the thread run that was started first, until it has nothing to do.
        func runThread() {
            let body = state.withLock { $0.threads.removeFirst() }
            body()
        }
    }

    private struct TestFile: SmallFile {
        let name: String
        var folder = "folder"
        let store: Store

        func makeFile(_ leavesFolder: (String) -> Void) throws(NetworkError) -> DeliveredContent {
            store.state.withLock { $0.time += $0.timePerFile }
            store.note("make \(name)")
            if name == "bad" { throw .fileSystem(ENOSPC, path: name) }
            leavesFolder(folder)
            return DeliveredContent(fileURL: URL(filePath: "/" + name))
        }
    }

    private func makeQueue() -> SmallFileQueue {
        SmallFileQueue(
            synchronize: { [store] in store.note("sync \($0)") }, now: { [store] in store.state.withLock { $0.time } },
            startThread: { [store] body in store.state.withLock { $0.threads.append(body) } })
    }

    private func add(_ names: [String], folder: String = "folder", to queue: SmallFileQueue) {
        for name in names {
            queue.make(TestFile(name: name, folder: folder, store: store)) { [store] outcome in
                switch outcome {
                case .success(let content): store.note("report \(content.fileURL?.lastPathComponent ?? "")")
                case .failure(let error): store.note("fail \(error.code)")
                }
            }
        }
    }

    private func names(_ numbers: ClosedRange<Int>) -> [String] { numbers.map(String.init) }

    @Test func `makes files on one thread, in order, and reports them when their names are on the disk`() {
        let queue = makeQueue()
        add(names(1...3), to: queue)
        #expect(store.threadCount == 1 && store.log.isEmpty)
        store.runThread()
        #expect(store.log == ["make 1", "make 2", "make 3", "sync folder", "report 1", "report 2", "report 3"])
    }

    @Test func `synchronizes each folder once for four files, and reports these before it makes others`() {
        let queue = makeQueue()
        add(["1", "2"], folder: "one", to: queue)
        add(["3", "4"], folder: "two", to: queue)
        add(["5", "6"], folder: "one", to: queue)
        store.runThread()
        let log = store.takeLog()
        #expect(log[..<4] == ["make 1", "make 2", "make 3", "make 4"])
        #expect(log[4..<6].sorted() == ["sync one", "sync two"])
        #expect(
            log[6...]
                == (names(1...4).map { "report " + $0 } + ["make 5", "make 6", "sync one", "report 5", "report 6"])[...]
        )
    }

    @Test func `has a second thread from eight that wait, and no third one`() {
        let queue = makeQueue()
        add(names(1...7), to: queue)
        #expect(store.threadCount == 1)
        add(["8"], to: queue)
        #expect(store.threadCount == 2)
        add(names(9...40), to: queue)
        #expect(store.threadCount == 2)
        store.runThread()
        #expect(store.takeLog().count { $0.hasPrefix("report") } == 40)
        // It finds nothing left, and the next file has a new thread.
        store.runThread()
        #expect(store.takeLog() == [])
        add(["41"], to: queue)
        #expect(store.threadCount == 1)
    }

    @Test func `gives each file a thread of its own where the disk is slow, up to thirty-two, until it is fast again`()
    {
        let queue = makeQueue()
        store.state.withLock { $0.timePerFile = .milliseconds(2) }
        add(["1", "2"], to: queue)
        store.runThread()
        _ = store.takeLog()

        add(names(3...42), to: queue)
        #expect(store.threadCount == 32)
        store.state.withLock { $0.timePerFile = .zero }
        store.runThread()
        // The first one is alone, and tells that the disk is fast; the others come by four.
        let log = store.takeLog()
        #expect(log[..<3] == ["make 3", "sync folder", "report 3"])
        #expect(log[3..<7] == ["make 4", "make 5", "make 6", "make 7"])
        while store.threadCount > 0 { store.runThread() }
        add(names(43...49), to: queue)
        #expect(store.threadCount == 1)
    }

    @Test func `a disk that takes a millisecond for a file is not slow`() {
        let queue = makeQueue()
        store.state.withLock { $0.timePerFile = .milliseconds(1) }
        add(names(1...4), to: queue)
        store.runThread()
        add(names(5...7), to: queue)
        #expect(store.threadCount == 1)
    }

    @Test func `a file that cannot be made fails alone`() {
        let queue = makeQueue()
        add(["1", "bad", "2"], to: queue)
        store.runThread()
        #expect(
            store.log == [
                "make 1", "make bad", "make 2", "sync folder", "report 1", "fail fileSystem", "report 2",
            ])
    }

    @Test func `what is added while a file is reported has its turn on the same thread`() {
        let queue = makeQueue()
        queue.make(TestFile(name: "1", store: store)) { [store] _ in
            queue.make(TestFile(name: "2", store: store)) { _ in store.note("report 2") }
        }
        store.runThread()
        #expect(store.log == ["make 1", "sync folder", "make 2", "sync folder", "report 2"] && store.threadCount == 0)
    }
}
