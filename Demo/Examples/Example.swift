import Foundation
import LoopbackHTTP

/// A small program that does one thing with the library and checks that it worked.
protocol Example: SendableMetatype {
    /// What the example shows, in a few words.
    static var subject: String { get }
    /// Runs the example against its own server.
    static func run(_ site: Site) async throws
}

/// An example's server, and a folder for its files.
struct Site {
    let server: LoopbackServer
    /// An empty folder, which is removed afterwards.
    let folder: URL

    func url(_ path: String) -> URL { server.url(path) }
    func file(_ name: String) -> URL { folder.appending(component: name) }
}

/// The error that an example throws when a check fails.
struct Disappointment: Error, CustomStringConvertible {
    let description: String
}

/// Throws if an expectation is not met.
func check(_ isTrue: Bool, _ expectation: String) throws {
    if !isTrue { throw Disappointment(description: "not so: " + expectation) }
}

/// Waits until a condition holds, for at most 30 s.
func eventually(_ expectation: String, _ isTrue: () -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while !isTrue() {
        try check(ContinuousClock.now < deadline, expectation)
        try await Task.sleep(for: .milliseconds(10))
    }
}

/// The size of a file; 0 if it does not exist.
func fileSize(_ file: URL) -> Int64 {
    Int64((try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0)
}
