import Foundation
import LoopbackHTTP

/// A small program that does one thing with the library, and checks that it has worked.
protocol Example: SendableMetatype {
    /// What it shows, in a few words.
    static var subject: String { get }
    /// Runs it against a server of its own.
    static func run(_ site: Site) async throws
}

/// Where an example finds its server, and room for its files.
struct Site {
    let server: LoopbackServer
    /// An empty folder, which is removed afterwards.
    let folder: URL

    func url(_ path: String) -> URL { server.url(path) }
    func file(_ name: String) -> URL { folder.appending(component: name) }
}

/// What an example has found that is not as it should be.
struct Disappointment: Error, CustomStringConvertible {
    let description: String
}

/// Ends an example that has not done what it shows.
func check(_ isTrue: Bool, _ expectation: String) throws {
    if !isTrue { throw Disappointment(description: "not so: " + expectation) }
}

/// Waits until something holds, for half a minute at most.
func eventually(_ expectation: String, _ isTrue: () -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while !isTrue() {
        try check(ContinuousClock.now < deadline, expectation)
        try await Task.sleep(for: .milliseconds(10))
    }
}

/// How large a file is; 0 if it is not there.
func fileSize(_ file: URL) -> Int64 {
    Int64((try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0)
}
