import Foundation
import TestSupport
import Testing

struct CleanCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.file("m/sub"), withIntermediateDirectories: true)
        for (name, size) in [("a.nqk.part", 3000), ("a.nqk.part.info", 72), ("sub/.x.nqk.part", 5), ("b", 9)] {
            try folder.write(String(repeating: "x", count: size), to: "m/" + name)
        }
    }

    @Test func `netqueue clean lists parts with their sizes, and keeps them`() async throws {
        let run = try await NetqueueRun.run(["clean", "m"], in: folder)
        #expect(run.exitCode == 0)
        #expect(
            run.output == """
                   3.0 KiB  m/a.nqk.part
                       5 B  m/sub/.x.nqk.part
                   3.0 KiB  total of 2 parts

                """)
        #expect(try folder.files().count == 4)
    }

    @Test func `netqueue clean --delete removes all parts except those in use`() async throws {
        let descriptor = open(folder.file("m/sub/.x.nqk.part").path(percentEncoded: false), O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        let run = try await NetqueueRun.run(["clean", "--delete", "m"], in: folder)
        #expect(run.exitCode == 1)
        #expect(run.output.hasSuffix("\n   3.0 KiB  total of 1 part, deleted\n"))
        #expect(run.error == "netqueue: \"m/sub/.x.nqk.part\" was not deleted: a download is writing to it\n")
        #expect(try folder.files() == ["m/b", "m/sub/.x.nqk.part"])
        close(descriptor)
        #expect(try await NetqueueRun.run(["clean", "--delete", "m"], in: folder).exitCode == 0)
        #expect(try folder.files() == ["m/b"])
    }

    @Test func `netqueue clean requires an existing folder`() async throws {
        for arguments in [["clean"], ["clean", "missing"], ["clean", "-j3", "m"]] {
            #expect(try await NetqueueRun.run(arguments, in: folder).exitCode == 64)
        }
    }
}
