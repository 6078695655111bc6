import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

struct DownloadPreviewTests {
    @Test func `A file is told from nothing, and from something that is no file`() throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "file")
        try FileManager.default.createDirectory(at: folder.file("folder"), withIntermediateDirectories: false)
        let states = ["nothing", "file", "folder"].map { name in
            let destination = Destination.file(folder.file(name), onConflict: .keepIfCurrent(otherwise: .fail))
            return DownloadPreview(NetworkRequest(.test("a"), destination: destination), nil, isCurrent: nil)?.state
        }
        #expect(states == [.new, .unknown, .changed])
    }
}
