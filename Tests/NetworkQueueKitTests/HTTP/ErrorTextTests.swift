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

    @Test(arguments: ["It takes no content", "Its Upload-Offset is missing"])
    func `What is wrong with a response goes on in lower case behind the colon`(reason: String) {
        let text = NetworkError.badResponse(reason + ".").description
        #expect(text == "Invalid response from the server: i\(reason.dropFirst()).")
    }

    @Test func `The text of an error says which media type has come, and which were expected`() {
        let json = ResponseValidation.contentTypes(["application/json"])
        let several = ResponseValidation.contentTypes(["Application/JSON; charset=utf-8", "image/*"])
        let start = "The response from host.test was rejected: the content type is "
        #expect(
            text(of: json, ["Content-Type": "text/html; charset=utf-8"])
                == start + "“text/html; charset=utf-8”, expected “application/json”.")
        #expect(
            text(of: several, ["Content-Type": "text/html"])
                == start + "“text/html”, expected “application/json” or “image/*”.")
        #expect(text(of: json, [:]) == start + "missing, expected “application/json”.")
        #expect(
            text(of: json, ["Content-Type": "a\u{1b}[31m" + String(repeating: "x", count: 200)])
                == start + "“a?[31m\(String(repeating: "x", count: 94))…”, expected “application/json”.")
    }

    @Test func `The text of an error says that a request was not sent because of its checksum`() async throws {
        let rig = QueueRig(ScriptedTransport { _ in .ok() })
        var request = NetworkRequest(.test("a"))
        request.expectedChecksum = .md5("12")
        let operation = rig.queue.add(request)
        await rig.queue.run()
        #expect(
            operation.error?.description
                == "The request was not sent: the expected MD5, “12”, is not 32 hexadecimal digits.")
    }

    private static let start = "Could not read or write "

    @Test func `The text of an error says which file exists, and what to do about it`() async throws {
        let rig = QueueRig.started()
        let path = rig.folder.file("file").path(percentEncoded: false)
        let fail =
            "“\(path)” already exists. Delete it, or set onConflict to .keepIfCurrent(otherwise: .overwrite), "
            + ".overwrite or .rename."
        try rig.folder.write("old", to: "file")
        let early = await rig.run(rig.request(), answers: []).error
        #expect(early?.description == fail)
        #expect(
            early?.localizedDescription
                == "“\(path)” already exists. Move or delete it, or choose another destination.")
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
        let rig = QueueRig.started()
        try rig.folder.write("x", to: "c")
        let below = await rig.run(rig.request(to: "c/file"), answers: [.ok(Data("new".utf8))])
        let path = rig.folder.file("c/file").path(percentEncoded: false)
        #expect(
            below.error?.description == Self.start
                + "“\(path)”: Not a directory. Part of the path is not a folder; choose another destination.")
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
        let rig = QueueRig.started()
        let folder = rig.folder.url.path(percentEncoded: false)
        let texts = [
            "a.nqk.part":
                "a.nqk.part”: Invalid argument. Such names are reserved for partial downloads; choose another.",
            String(repeating: "n", count: 300): String(repeating: "n", count: 300)
                + "”: File name too long. The file system does not allow names this long; choose a shorter one.",
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
                + "It is not a file URL; create one with URL(filePath:).")
        #expect(
            operation.error?.localizedDescription == Self.start + "“http://host.test/file”: Invalid argument. "
                + "It is not the path of a file; choose another destination.")
    }

    private func text(_ error: URLError, _ url: String) -> String {
        var error = NetworkError(error)
        error.url = URL(string: url)
        return error.localizedDescription
    }

    @Test(arguments: [
        (URLError.Code.timedOut, "The request to a.test:443 timed out."),
        (.cannotFindHost, "Could not resolve host a.test."),
        (.cannotConnectToHost, "Could not connect to a.test:443: connection refused."),
        (.notConnectedToInternet, "Could not connect to a.test:443: there is no internet connection."),
        (.networkConnectionLost, "The connection to a.test:443 was lost."),
        (.httpTooManyRedirects, "a.test redirected the request too many times."),
        (.userAuthenticationRequired, "a.test requires authentication, and no valid credentials were given."),
    ])
    func `The text of an error about a connection names host and port`(code: URLError.Code, expected: String) {
        let reason = [NSUnderlyingErrorKey: POSIXError(.ECONNREFUSED)]
        #expect(text(URLError(code, userInfo: reason), "https://a.test/x") == expected)
    }

    @Test func `The text of an error names the scheme and the address that are not supported`() {
        #expect(
            text(URLError(.unsupportedURL), "ftp://a.test/x") == "“ftp” URLs are not supported; use http or https.")
        #expect(
            text(URLError(.badURL), "a.test/x")
                == "“a.test/x” is not a valid URL; it needs http:// or https:// and a host.")
        #expect(text(URLError(.cannotConnectToHost), "http://[::1]:8080/x") == "Could not connect to [::1]:8080.")
    }

    @Test func `The text of an error behind a redirect names the server that was asked last`() async throws {
        let rig = QueueRig(
            ScriptedTransport { exchange in
                exchange.url.host() == "host.test"
                    ? .status(302, ["Location": "https://other.test/b"]) : .fail(.networkConnectionLost)
            })
        let operation = rig.queue.add(.test("a"))
        await rig.queue.run()
        #expect(operation.error?.url == .test("a"))
        #expect(operation.error?.localizedDescription == "The connection to other.test:443 was lost.")
    }

    @Test func `The text for an app's user has no names of the API`() async {
        struct Refusal: LocalizedError { var errorDescription: String? { "The token is gone" } }
        let rig = QueueRig(
            ScriptedTransport { _ in .ok() }, configure: { $0.adapters = [.adapter { _, _ in throw Refusal() }] })
        let operation = rig.queue.add(.test("a"))
        await rig.queue.run()
        let text = "Could not prepare the request to host.test: the token is gone."
        #expect(operation.error?.localizedDescription == text)
        #expect(operation.error?.description == text + " Thrown by ClosureAdapter.")
        let configuration = NetworkError.unsupported("maxConnections is 0; it must be at least 1.")
        #expect(configuration.localizedDescription == "Invalid transport configuration.")
    }
}
