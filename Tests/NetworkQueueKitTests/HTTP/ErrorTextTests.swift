import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

/// What users read of a failure: what is wrong with what, and what to do.
@Suite(.timeLimit(.minutes(10)))
struct ErrorTextTests {
    private func text(of validation: ResponseValidation, _ headers: HTTPHeaders) -> String? {
        var error = validation.rejection(of: ResponseHead(statusCode: 200, headers: headers, url: .test("a")))
        error?.url = .test("a")
        return error?.description
    }

    @Test func `A cancellation has no more text than that`() async {
        let rig = QueueRig()
        let operation = rig.queue.add(.test("a"))
        operation.cancel()
        await rig.queue.run()
        #expect(operation.error?.description == "Cancelled." && operation.error?.localizedDescription == "Cancelled.")
    }

    @Test func `The text of an error says which media type has come, and which were expected`() {
        let json = ResponseValidation.contentTypes(["application/json"])
        let several = ResponseValidation.contentTypes(["Application/JSON; charset=utf-8", "image/*"])
        let start = "The response was not accepted (host.test): "
        #expect(
            text(of: json, ["Content-Type": "text/html; charset=utf-8"])
                == start + "its content type is “text/html; charset=utf-8”, not “application/json”.")
        #expect(
            text(of: several, ["Content-Type": "text/html"])
                == start + "its content type is “text/html”, not “application/json” or “image/*”.")
        #expect(text(of: json, [:]) == start + "it has no content type, not “application/json”.")
        #expect(
            text(of: json, ["Content-Type": "a\u{1b}[31m" + String(repeating: "x", count: 200)])
                == start + "its content type is “a?[31m\(String(repeating: "x", count: 94))…”, not “application/json”.")
    }

    @Test func `The text of an error says that a request was not sent because of its checksum`() async throws {
        let rig = QueueRig(ScriptedTransport { _ in .ok() })
        var request = NetworkRequest(.test("a"))
        request.expectedChecksum = .md5("12")
        let operation = rig.queue.add(request)
        await rig.queue.run()
        #expect(
            operation.error?.description == "The request was not sent (host.test): "
                + "the expected MD5, “12”, does not have 32 hexadecimal digits.")
    }

    private static let start = "A file could not be read or written: "

    @Test func `The text of an error says which file exists, and what to do about it`() async throws {
        let rig = try DownloadRig()
        let path = rig.folder.file("file").path(percentEncoded: false)
        let fail =
            Self.start + "“\(path)”: File exists. Remove it, or let onConflict be .overwrite or .rename."
        try rig.folder.write("old", to: "file")
        #expect(await rig.run(rig.request(), answers: []).error?.description == fail)
        try FileManager.default.removeItem(at: rig.folder.file("file"))
        let (late, exchange) = await rig.start(rig.request())
        exchange.receive(headers: ["Content-Length": "3"])
        exchange.receive(Data("new".utf8))
        try rig.folder.write("late", to: "file")
        exchange.end()
        await rig.end(of: late)
        #expect(late.error?.description == fail)
        try FileManager.default.removeItem(at: rig.folder.file("file"))
        try FileManager.default.createDirectory(at: rig.folder.file("file"), withIntermediateDirectories: false)
        let folder = await rig.run(rig.request(onConflict: .overwrite), answers: [.ok(Data("new".utf8))])
        #expect(
            folder.error?.description == Self.start
                + "“\(path)”: Is a directory. Give the path of a file, not of a folder.")
    }

    @Test
    func `The text of an error says which folder cannot be made or written to, and what to do about it`() async throws {
        let rig = try DownloadRig()
        try rig.folder.write("x", to: "c")
        let below = await rig.run(rig.request(to: "c/file"), answers: [.ok(Data("new".utf8))])
        let path = rig.folder.file("c/file").path(percentEncoded: false)
        #expect(
            below.error?.description == Self.start
                + "“\(path)”: Not a directory. A part of the path is not a folder; choose another destination.")
        // Not even root may create folders there.
        var request = NetworkRequest(.test("a"))
        request.destination = .file(URL(filePath: "/proc/none/file"))
        let missing = await rig.run(request, answers: [.ok(Data("new".utf8))])
        let text = try #require(missing.error?.description)
        #expect(text.hasPrefix(Self.start + "“/proc/none") && text.contains("hoose"), "\(text)")
    }

    @Test(arguments: [true, false])
    func `The text of an error says which file to send cannot be read`(isForm: Bool) async {
        let rig = QueueRig()
        var form = MultipartForm()
        form.append("x", name: "text")
        form.append(file: URL(filePath: "/nowhere/photo.jpg"), name: "photo")
        let body = isForm ? RequestBody.multipart(form) : .file(URL(filePath: "/nowhere/photo.jpg"))
        let operation = rig.queue.add(.post(.test("a"), body: body))
        await rig.queue.run()
        let text = operation.error?.description ?? ""
        #expect(text.contains("/nowhere/photo.jpg") && text.contains("No such file or directory"), "\(text)")
        #expect(operation.attempts == 0)
    }

    @Test func `The text of an error says which names cannot be a file's, and why`() async throws {
        let rig = try DownloadRig()
        let folder = rig.folder.url.path(percentEncoded: false)
        let texts = [
            "a.nqk.part":
                "a.nqk.part”: Invalid argument. Such names are those of unfinished downloads; choose another.",
            String(repeating: "n", count: 300): String(repeating: "n", count: 300)
                + "”: File name too long. The file system takes no names as long; choose a shorter one.",
        ]
        for (name, text) in texts {
            let operation = await rig.run(rig.request(to: name), answers: [.ok(Data("x".utf8))])
            let slash = folder.hasSuffix("/") ? "" : "/"
            #expect(operation.error?.description == Self.start + "“\(folder)\(slash)\(text)")
        }
        var remote = rig.request()
        remote.destination = .file(try #require(URL(string: "http://user:word@host.test/file")))
        let operation = await rig.run(remote, answers: [.ok(Data("x".utf8))])
        #expect(
            operation.error?.description == Self.start + "“http://host.test/file”: Invalid argument. "
                + "It is not a file URL; make one with URL(filePath:).")
    }
}
