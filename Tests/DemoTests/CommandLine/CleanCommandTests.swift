import Foundation
import TestSupport
import Testing

struct CleanCommandTests {
    private let rig: NetqueueRig

    init() throws {
        rig = try NetqueueRig()
        try FileManager.default.createDirectory(at: rig.folder.file("m/sub"), withIntermediateDirectories: true)
        for (name, size) in [("a.nqk.part", 3000), ("a.nqk.part.info", 72), ("sub/.x.nqk.part", 5), ("b", 9)] {
            try rig.folder.write(String(repeating: "x", count: size), to: "m/" + name)
        }
    }

    @Test func `netqueue clean lists parts with their sizes, and keeps them`() async throws {
        try rig.folder.write("1234", to: "m/c\u{1B}[1md.nqk.part")
        let run = try await rig.run("clean", "m")
        #expect(run.exitCode == 0)
        #expect(
            run.output == """
                   3.0 KiB  m/a.nqk.part
                       4 B  m/c?[1md.nqk.part
                       5 B  m/sub/.x.nqk.part
                   3.0 KiB  total of 3 parts

                """)
        #expect(try rig.folder.files().count == 5)
    }

    @Test func `netqueue clean --delete removes all parts except those in use`() async throws {
        let descriptor = open(rig.folder.file("m/sub/.x.nqk.part").path(percentEncoded: false), O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        let run = try await rig.run("clean", "--delete", "m")
        #expect(run.exitCode == 1)
        #expect(run.output.hasSuffix("\n   3.0 KiB  total of 1 part, deleted\n"))
        #expect(run.error == "netqueue: \"m/sub/.x.nqk.part\" was not deleted: a download is writing to it\n")
        #expect(try rig.folder.files() == ["m/b", "m/sub/.x.nqk.part"])
        close(descriptor)
        #expect(try await rig.run("clean", "--delete", "m").exitCode == 0)
        #expect(try rig.folder.files() == ["m/b"])
        #expect(try await rig.run("clean", "m").output == "       0 B  total of 0 parts\n")
    }
}
