import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport
import Testing

/// Forms, as a parser sees them that is not ours. Skipped where Python is not installed.
@Suite(.enabled(if: PythonFormServer.isInstalled, "python3 is not installed"), .timeLimit(.minutes(10)))
struct PythonFormTests {
    @Test(arguments: TransportKind.allCases)
    func `Python finds the parts of a form as they were put into it`(kind: TransportKind) async throws {
        let folder = try TemporaryFolder()
        let large = Data(GeneratedContent(size: 5 << 20, seed: 5).bytes(in: 0..<(5 << 20)))
        let file = try folder.write(large, to: "größe \"5\".png")
        let empty = try folder.write(Data(), to: "empty.txt")
        let binary = Data((0...255).map { UInt8($0) }) + Data("\r\n--\r\n\n\r".utf8)

        var form = MultipartForm()
        var expected: [PythonFormServer.Part] = []
        for (name, value) in [
            ("plain", "value"), ("empty", ""), ("", "no name"), ("quotes \"in\" it", "\"quoted\""),
            ("CR\rLF\nboth\r\n", "one\r\ntwo\nthree\rfour\r\n"), ("Ünïcödé 名前 🗂", "Grüße, 世界 🌍"), ("twice", "1"),
            ("twice", "2"),
            ("semi; filename=\\", "--\r\n----"),
        ] {
            form.append(value, name: name)
            expected.append(.init(name: name, content: Data(value.utf8)))
        }
        form.append(binary, name: "data")
        expected.append(.init(name: "data", content: binary))
        form.append(binary, name: "data", fileName: "a\r\n\"b\"é.json")
        expected.append(.init(name: "data", fileName: "a\r\n\"b\"é.json", type: "application/json", content: binary))
        form.append(Data(), name: "data", fileName: "", contentType: "text/x-none")
        expected.append(.init(name: "data", fileName: "", type: "text/x-none", content: Data()))
        form.append(file: file, name: "file")
        expected.append(.init(name: "file", fileName: "größe \"5\".png", type: "image/png", content: large))
        form.append(file: empty, name: "file", fileName: "other", contentType: "text/markdown")
        expected.append(.init(name: "file", fileName: "other", type: "text/markdown", content: Data()))
        form.append(file: empty, name: "last")
        expected.append(.init(name: "last", fileName: "empty.txt", type: "text/plain", content: Data()))

        let server = try PythonFormServer()
        defer { server.stop() }
        let queue = NetworkQueue(
            transport: try kind.makeTransport(), delegateQueue: DispatchQueue(label: "test.callbacks"))
        var request = NetworkRequest(server.url)
        request.urlRequest.httpMethod = "POST"
        request.body = .multipart(form)
        let operation = queue.add(request)
        await queue.run()

        #expect(operation.error == nil)
        let answer = try JSONDecoder().decode(PythonFormServer.Answer.self, from: try #require(operation.data))
        #expect(answer.defects == [])
        #expect(answer.parts.count == expected.count)
        for (part, original) in zip(answer.parts, expected) {
            #expect(part.name == original.name && part.fileName == original.fileName && part.type == original.type)
            #expect(part.content == original.content, "\(original.name)")
        }
    }
}
