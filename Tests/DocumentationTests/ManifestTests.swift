import Foundation
import Testing

/// A `Package.swift` that readers see is one that the package manager reads.
struct ManifestTests {
    private static let manifests = Document.all.flatMap(\.blocks).filter(\.isManifest).map(\.code)

    @Test(.timeLimit(.minutes(10)), arguments: manifests)
    func `The package manager reads each manifest`(manifest: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(component: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try manifest.write(to: folder.appending(component: "Package.swift"), atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["swift", "package", "--package-path", folder.path(percentEncoded: false), "dump-package"]
        process.standardOutput = FileHandle.nullDevice
        let status = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        #expect(status == 0)
    }
}
