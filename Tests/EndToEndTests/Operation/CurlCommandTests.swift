import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

private let curlIsInstalled = ["/usr/bin/curl", "/bin/curl", "/usr/local/bin/curl"].contains {
    FileManager.default.isExecutableFile(atPath: $0)
}

/// What `curlCommand()` says, carried out by the real program.
@Suite(.timeLimit(.minutes(10)), .enabled(if: curlIsInstalled, "curl is not installed"))
struct CurlCommandTests {
    private static let odd = "it's \"quoted\", $HOME `x` \\ %41 & ü € 🙂!"

    struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable (NetworkRequest, TemporaryFolder) throws -> NetworkRequest

        init(
            _ name: String, path: String = "/", method: String? = nil,
            _ make: @escaping @Sendable (inout NetworkRequest, TemporaryFolder) throws -> Void = { _, _ in }
        ) {
            testDescription = name
            self.make = { base, folder in
                let url = try #require(URL(webAddress: base.url.absoluteString + path.dropFirst()))
                var request = NetworkRequest(url, method: method)
                try make(&request, folder)
                return request
            }
        }
    }

    static let examples: [Example] = [
        Example("GET"),
        Example("HEAD", method: "HEAD"),
        Example("DELETE", method: "DELETE"),
        Example("a method of its own", method: "PRO'PFIND"),
        Example("POST without content", method: "POST"),
        Example("GET with content", method: "GET") { request, _ in request.body = .data(Data("q".utf8)) },
        Example(
            "a URL with what shells and curl take for their own", path: "/a%20b/$x;'y'/[1-3]{a,b}?q=%e2%82%ac&r='$(id)'"
        ),
        Example("a URL with dots", path: "/a/%2e%2e/b/../c/./d?x=/../"),
        Example("fields") { request, _ in
            request.headers = ["X-Odd": "it's \"quoted\", $HOME `x` \\ & more", "X-Empty": "", "X-Two": "1"]
            request.headers.append(name: "X-Two", value: "2")
            request.headers["User-Agent"] = "mine"
            request.headers["Accept"] = "text/*; q=0.5"
        },
        Example("fields beyond ASCII") { request, _ in request.headers["X-Odd"] = "ü € 🙂" },
        Example("text") { request, _ in
            request.body = .data(Data((odd + "\n\ttwo lines\n\n").utf8), contentType: "text/plain; charset=utf-8")
        },
        Example("text that begins with an at sign") { request, _ in request.body = .data(Data("@/etc/hosts".utf8)) },
        Example("no bytes") { request, _ in request.body = .data(Data()) },
        Example("CR LF") { request, _ in request.body = .data(Data("a\r\nb%d\\n'".utf8)) },
        Example("every byte, twice") { request, _ in
            request.body = .data(Data((0...255).map { UInt8($0) } + (0...255).reversed().map { UInt8($0) }))
        },
        Example("bytes that begin with a hyphen") { request, _ in request.body = .data(Data("--x\u{0}".utf8)) },
        Example("a megabyte of text") { request, _ in
            request.body = .data(Data(String(repeating: odd, count: 20_000).utf8))
        },
        Example("JSON by PUT", method: "PUT") { request, _ in
            request.body = try .json(["name": odd, "empty": ""])
        },
        Example("a web form") { request, _ in request.body = .urlEncodedForm(["a b": odd, "c": "d"]) },
        Example("a file") { request, folder in
            request.body = .file(try folder.write(Data((0...255).map { UInt8($0) }), to: "it's a $file; ü.png"))
        },
        Example("a form of plain parts") { request, folder in
            var form = MultipartForm()
            form.append("one; type=x", name: "text")
            form.append(odd + "\nnext", name: "it's $odd")
            form.append("@/etc/hosts", name: "at")
            form.append("<x", name: "less")
            form.append(file: try folder.write(Data("content\u{0}".utf8), to: "it's, a; $file.txt"), name: "file")
            request.body = .multipart(form)
        },
        Example("a form that has to be sent in pieces") { request, folder in
            var form = MultipartForm()
            form.append(Data([0, 1, 2, 255]), name: "binary", fileName: "a.bin")
            form.append("x", name: "quo\"ted\r\n")
            form.append(
                file: try folder.write(Data("content".utf8), to: "b'.txt"), name: "file", contentType: "a/b; c=\"d\"")
            form.append(Data("typed".utf8), name: "typed", contentType: "text/csv")
            request.body = .multipart(form)
        },
        Example("a form with a type of its own") { request, _ in
            var form = MultipartForm()
            form.append("x", name: "y")
            request.body = .multipart(form)
            request.headers["Content-Type"] = form.contentType
        },
        Example("a credential") { request, _ in
            request.credential = URLCredential(user: "it's $me", password: "a:b \"ü\"", persistence: .none)
        },
        Example("secret fields") { request, _ in
            request.headers = ["Authorization": "Bearer $x'y", "Cookie": "a=b; c='d'", "X-Api-Key": "k"]
        },
        Example("compression") { request, _ in request.acceptsCompressed = true },
        Example("Foundation's request") { request, _ in
            request.urlRequest.httpMethod = "PATCH"
            request.urlRequest.httpBody = Data(odd.utf8)
            request.urlRequest.setValue("text/x", forHTTPHeaderField: "Content-Type")
        },
    ]

    /// What two requests that are the same have in common.
    private struct Sent: Equatable {
        let method: String
        let target: String
        let fields: [String]
        let body: Data
        let bodyLength: Int64
    }

    /// Without what a transport says of itself, and with one boundary for all.
    private func sent(_ request: ReceivedRequest) -> Sent {
        let boundary = request.headers["Content-Type"]?.firstMatch(of: /boundary=(\S+)/).map { String($0.1) }
        func plain(_ text: String) -> String { boundary.map { text.replacing($0, with: "BOUNDARY") } ?? text }
        var fields = request.headers.fields.map { "\($0.name.lowercased()): \(plain($0.value))" }
        fields.removeAll { $0.hasPrefix("user-agent: curl/") || $0.hasPrefix("user-agent: NetworkQueueKit") }
        // The library says that it wants no compression; the program says nothing.
        fields.removeAll { $0 == "accept-encoding: identity" }
        var body = request.body
        var length = request.bodyLength
        if boundary != nil {
            // By bytes, as characters of Latin-1.
            body = Data(
                plain(String(request.body.map { Character(Unicode.Scalar($0)) })).unicodeScalars.map { UInt8($0.value) }
            )
            fields.removeAll { $0.hasPrefix("content-length: ") }
            length = Int64(body.count)
        }
        return Sent(
            method: request.method, target: request.target, fields: fields.sorted(), body: body, bodyLength: length)
    }

    private func run(_ command: String) async throws -> ShellRun {
        try await onThread { Result { try ShellRun(command) } }.get()
    }

    #if canImport(Glibc)
        @Test(arguments: examples) func `curlCommand() sends what the operation sends`(example: Example) async throws {
            let folder = try TemporaryFolder()
            let rig = try LiveRig(.curl)
            rig.server.serve("/*", .text("done"))
            let request = try example.make(NetworkRequest(rig.server.url("/")), folder)
            let operation = await rig.run(request)
            let own = try #require(rig.server.requests.first)
            let command = operation.curlCommand(includingCredentials: true)
            #expect(operation.error == nil)
            let status = try await run(command).status
            #expect(status == 0, "\(command.prefix(1000))")
            let received = try #require(rig.server.requests.dropFirst().first, "\(command.prefix(1000))")
            #expect(sent(received) == sent(own), "\(command.prefix(1000))")
        }
    #endif

    @Test func `curlCommand() writes to the operation's destination`() async throws {
        let folder = try TemporaryFolder()
        let server = try LoopbackServer()
        server.serve("/*", .text("content"))
        var request = NetworkRequest(server.url("/a"))
        let file = folder.file("new folder/it's $x.txt")
        request.destination = .file(file)
        let result = try await run(RequestOperation(request).curlCommand())
        #expect(result.status == 0 && result.output.isEmpty)
        #expect(try Data(contentsOf: file) == Data("content".utf8))
        request.destination = .discard
        #expect(try await run(RequestOperation(request).curlCommand()).output.isEmpty)
        request.destination = .memory
        #expect(try await run(RequestOperation(request).curlCommand()).output == Data("content".utf8))
    }

    @Test func `curlCommand() takes a stream's content from its standard input`() async throws {
        let server = try LoopbackServer()
        server.serve("/*", .text("done"))
        var request = NetworkRequest(server.url("/a"), method: "PUT")
        request.body = .stream(length: 3) { _, _ in Data("abc".utf8) }
        let status = try await run("printf abc | " + RequestOperation(request).curlCommand()).status
        #expect(status == 0 && server.requests.first?.body == Data("abc".utf8))
    }
}
