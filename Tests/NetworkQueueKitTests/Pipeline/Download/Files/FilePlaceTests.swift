import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

/// Destinations that are odd, taken, or in the way.
@Suite(.timeLimit(.minutes(10)))
struct FilePlaceTests {
    @Test(arguments: [230, 250, 255])
    func `A file whose name leaves no room for a suffix is downloaded and resumed like any other`(length: Int)
        async throws
    {
        let rig = QueueRig.started()
        let name = String(repeating: "n", count: length - 4) + ".txt"
        let other = String(repeating: "n", count: length - 4) + ".bin"
        await rig.interrupt(rig.request(to: name))
        let (_, stranger) = await rig.start(rig.request(to: other))
        #expect(!stranger.exchange.headers.contains("Range"))
        let (operation, exchange) = await rig.start(rig.request(to: name))
        #expect(exchange.exchange.headers["Range"] == "bytes=5-")
        exchange.answer(.rest())
        await rig.end(of: operation)
        #expect(rig.folder.contents == [name])
    }

    /// ecryptfs takes 143 bytes, and so do gocryptfs without long names and crypt remotes of rclone.
    @Test(arguments: [1, 125, 126, 143, 255])
    func `A part's name is short enough for file systems that encrypt names`(length: Int) throws {
        let folder = try TemporaryFolder()
        let names = try PartNames(folder.file(String(repeating: "é", count: length / 2) + "n"))
        for path in [names.part, names.info, names.draft] {
            #expect(URL(filePath: path).lastPathComponent.utf8.count <= 143)
        }
        #expect((names.part == names.destination + ".nqk.part") == (length <= 125))
    }

    @Test
    func `Names that cannot be a file's, or are a part's, are refused`() async throws {
        let rig = QueueRig.started()
        let names: [(String, POSIXErrorCode)] = [
            (String(repeating: "n", count: 256), .ENAMETOOLONG), ("a.nqk.part", .EINVAL), ("a.nqk.part.info", .EINVAL),
            ("a.nqk.part.info.new", .EINVAL), ("a/..", .EISDIR),
        ]
        for (name, expected) in names {
            let operation = await rig.run(rig.request(to: name), answers: [.ok("x")])
            #expect(operation.error?.posixCode == expected, "\(name)")
            #expect(operation.error?.code == .fileSystem)
        }
        #expect(rig.folder.contents == [])
    }

    @Test
    func `A file whose name is like a part's of another program is no part of ours`() async throws {
        let rig = QueueRig.started()
        try rig.folder.write("mine", to: "file.part")
        let operation = await rig.run(rig.request(), answers: [.ok("new")])
        #expect(operation.error == nil)
        #expect(rig.folder.contents == ["file", "file.part"])
        #expect(try rig.folder.read("file.part") == "mine")
    }

    @Test(
        arguments: [.fail, .keepIfCurrent(otherwise: .fail), .rename, .overwrite] as [Destination.ConflictPolicy],
        [true, false])
    func `A file that appears during the download is not replaced unless that was asked for`(
        policy: Destination.ConflictPolicy, isSmall: Bool
    ) async throws {
        let rig = QueueRig.started()
        let (operation, exchange) = await rig.start(rig.request(onConflict: policy))
        exchange.receive(headers: isSmall ? ["Content-Length": "3", "ETag": "\"v1\""] : ["ETag": "\"v1\""])
        exchange.receive(Data("new".utf8))
        try rig.folder.write("late", to: "file")
        exchange.end()
        await rig.end(of: operation)
        let mayEnd = policy == .rename || policy == .overwrite
        #expect(operation.error?.posixCode == (mayEnd ? nil : .EEXIST))
        #expect(try rig.folder.read("file") == (policy == .overwrite ? "new" : "late"))
        #expect(operation.fileURL?.lastPathComponent == (mayEnd ? (policy == .rename ? "file-2" : "file") : nil))
        #expect(rig.folder.contents == (policy == .rename ? ["file", "file-2"] : ["file"]))
    }

    /// Two runs of one command at a time (issue 38, point 3): the second ended with EEXIST when the first had finished.
    @Test(arguments: [Destination.StalePolicy.fail, .rename], [3, 100_000, 300_001])
    func `A file that another run has finished meanwhile is kept if it has the same content`(
        otherwise: Destination.StalePolicy, size: Int
    ) async throws {
        for isSame in [true, false] {
            let rig = QueueRig.started()
            let content = Data(repeating: 7, count: size)
            var other = content
            if !isSame { other[size - 1] = 8 }
            let request = rig.request(onConflict: .keepIfCurrent(otherwise: otherwise))
            for comesBeforeHead in [true, false] {
                let (operation, exchange) = await rig.start(request)
                if comesBeforeHead { try rig.folder.write(other, to: "file") }
                exchange.receive(headers: ["Content-Length": "\(size)", "ETag": "\"v1\""])
                exchange.receive(content)
                if !comesBeforeHead { try rig.folder.write(other, to: "file") }
                exchange.end()
                await rig.end(of: operation)
                #expect((try? operation.result?.get())?.wasKept ?? false == isSame)
                #expect(operation.error?.posixCode == (isSame || otherwise == .rename ? nil : .EEXIST))
                #expect(try Data(contentsOf: rig.folder.file("file")) == other)
                #expect(rig.folder.contents == (isSame || otherwise == .fail ? ["file"] : ["file", "file-2"]))
                for name in rig.folder.contents { try FileManager.default.removeItem(at: rig.folder.file(name)) }
            }
        }
    }

    @Test func `A file that was there before is not compared with the new content`() async throws {
        let rig = QueueRig.started()
        try rig.folder.write("new", to: "file")
        let operation = await rig.run(
            rig.request(onConflict: .keepIfCurrent(otherwise: .rename)), answers: [.ok("new")])
        #expect(try operation.result?.get().wasKept == false && rig.folder.contents == ["file", "file-2"])
    }

    @Test(arguments: [true, false])
    func `A part that is another name of a whole file is never written to`(hasSidecar: Bool) async throws {
        let rig = QueueRig.started()
        if hasSidecar {
            await rig.interrupt(rig.request())
        } else {
            try rig.folder.write("01234", to: "file.nqk.part")
        }
        let part = rig.folder.file("file.nqk.part").path(percentEncoded: false)
        #expect(link(part, rig.folder.file("file").path(percentEncoded: false)) == 0)
        let (operation, exchange) = await rig.start(rig.request(onConflict: .overwrite))
        #expect(!exchange.exchange.headers.contains("Range"))
        if hasSidecar { #expect(rig.folder.contents == ["file"]) }
        exchange.receive(headers: ["Content-Length": "3", "ETag": "\"v2\""])
        exchange.receive(Data("n".utf8))
        #expect(try rig.folder.read("file") == "01234")
        exchange.receive(Data("ew".utf8))
        exchange.end()
        await rig.end(of: operation)
        #expect(operation.error == nil)
        #expect(try rig.folder.read("file") == "new")
        #expect(rig.folder.contents == ["file"])
    }

    @Test(
        arguments: ["\"v1\"", "\"v2\"", nil],
        [true, false])
    func `A sidecar that was being written when its process ended does not stay`(tag: String?, succeeds: Bool)
        async throws
    {
        let rig = QueueRig.started()
        await rig.interrupt(rig.request())
        try rig.folder.write("NetworkQ", to: "file.nqk.part.info.new")
        var headers: HTTPHeaders = ["Content-Length": "10"]
        headers["ETag"] = tag
        let isContinued = tag == "\"v1\""
        if isContinued {
            headers["Content-Range"] = "bytes 5-9/10"
            headers["Content-Length"] = "5"
        }
        let (operation, exchange) = await rig.start(rig.request())
        exchange.receive(status: isContinued ? 206 : 200, headers: headers)
        exchange.receive(Data((isContinued ? "56789" : "abcdefghij").utf8))
        exchange.end(succeeds ? nil : .networkConnectionLost)
        await rig.end(of: operation)
        #expect((operation.error == nil) == succeeds)
        let kept = tag == nil ? [] : QueueRig.partFiles()
        #expect(rig.folder.contents.filter { !$0.hasSuffix(".new") } == (succeeds ? ["file"] : kept))
        if succeeds || tag == nil { #expect(!rig.folder.contents.contains("file.nqk.part.info.new")) }
    }

    #if os(Linux)
        @Test(arguments: [.fail, .rename, .overwrite] as [Destination.ConflictPolicy], [3, 100_000])
        func `A file gets its name in one step, whatever the policy and its size`(
            _ policy: Destination.ConflictPolicy, size: Int
        ) async throws {
            let rig = QueueRig.started()
            let watcher = inotify_init1(Int32(IN_NONBLOCK))
            defer { close(watcher) }
            let steps = UInt32(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)
            #expect(inotify_add_watch(watcher, rig.folder.url.path(percentEncoded: false), steps) >= 0)
            let operation = await rig.run(
                rig.request(onConflict: policy, resume: false), answers: [.ok(Data(repeating: 7, count: size))])
            #expect(operation.error == nil)
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(watcher, &buffer, buffer.count)
            var masks: [UInt32] = []
            var offset = 0
            while offset < count {
                let event = buffer.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: inotify_event.self) }
                masks.append(event.mask)
                offset += MemoryLayout<inotify_event>.size + Int(event.len)
            }
            let byPart = [UInt32(IN_CREATE), UInt32(IN_MOVED_FROM), UInt32(IN_MOVED_TO)]
            // A small file has no name before, where the file system knows such files.
            let isUnnamed =
                size <= 64 << 10 && hasUnnamedFiles(rig.folder)
            #expect(masks == (isUnnamed ? [UInt32(IN_CREATE)] : byPart))
        }
    #endif

    @Test
    func `Numbered names keep the extension, and a hidden file and a folder have none`() async throws {
        let rig = QueueRig.started()
        for (name, numbered) in [
            ("a.tar.gz", "a.tar-2.gz"), (".profile", ".profile-2"), ("x.", "x.-2"), ("ü", "ü-2"),
            ("folder", "folder-2"),
        ] {
            if name == "folder" {
                try OddFile.directory.make(at: rig.folder.file(name))
            } else {
                try rig.folder.write("old", to: name)
            }
            let operation = await rig.run(rig.request(to: name, onConflict: .rename), answers: [.text("new")])
            #expect(operation.fileURL?.lastPathComponent == numbered)
        }
    }
}

#if os(Linux)
    private func hasUnnamedFiles(_ folder: TemporaryFolder) -> Bool {
        // `O_TMPFILE`, which Swift does not import.
        let descriptor = open(folder.url.path(percentEncoded: false), O_WRONLY | O_DIRECTORY | 0o20_000_000, 0o600)
        return descriptor >= 0 && close(descriptor) == 0
    }
#endif
