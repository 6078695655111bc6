import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .enabled(if: Recipe.hasPython, "there is no python3"))
struct HuggingFaceRecipeTests {
    private let rig: NetqueueRig
    /// The other host, to which the hub's signed links lead.
    private let storage: LoopbackServer
    private let recipe: Recipe
    private let tree = "/api/models/openai-community/gpt2/tree/607a30d783dfa663caf39e06633721c8d4cfcd7e"
    private let files = "/openai-community/gpt2/resolve/607a30d783dfa663caf39e06633721c8d4cfcd7e"
    private let weights = String(repeating: "weights\n", count: 1000)
    private let sha256 = "7edd0c2dd63c26894c978aa36758a63f3f5ad6cb0e99b75aae1b77deea24e662"

    init() throws {
        (rig, storage) = (try NetqueueRig(), try LoopbackServer())
        recipe = try Recipe(.huggingFace, in: rig)
        // The list has two pages.
        let config =
            #"{"type":"file","oid":"10c66461e4c109db5a2196bff4bb59be30396ed8","size":3,"path":"config #1.json"}"#
        serve(
            "\(tree)?recursive=true",
            .json(#"[{"type":"directory","oid":"8a6c","size":0,"path":"onnx"},\#(config)]"#).header(
                "Link", "<\(rig.url(tree))?recursive=true&cursor=2>; rel=\"next\""))
        serve(
            "\(tree)?recursive=true&cursor=2",
            .json(
                #"[{"type":"file","oid":"4c75","size":8000,"lfs":{"oid":"\#(sha256)","size":8000,"pointerSize":134},"#
                    + #""path":"onnx/decoder.onnx"}]"#))
        // The quota is used up at first.
        serve(
            "\(files)/config%20%231.json",
            .status(
                429,
                headers: [
                    "RateLimit": "\"resolvers\";r=0;t=1",
                    "RateLimit-Policy": "\"fixed window\";\"resolvers\";q=3000;w=300",
                ]),
            .text("{}\n"))
        // The first link ends in the middle of the file.
        serve(
            "\(files)/onnx/decoder.onnx", .redirect(to: storage.url("/1?X-Amz-Signature=1").absoluteString),
            .redirect(to: storage.url("/2?X-Amz-Signature=2").absoluteString))
        let content = ScriptedResponse.text(weights).acceptingRanges(etag: "\"\(sha256)\"")
        storage.serve("/1", content.dropping(after: 5000))
        storage.serve("/2", content)
    }

    /// Serves responses one after the other to requests with the token.
    private func serve(_ path: String, _ responses: ScriptedResponse...) {
        let requests = Gathering<Void>()
        rig.server.serve(path) { request in
            guard request.headers["Authorization"] == "Bearer hf_secret" else { return .status(401) }
            requests.add(())
            return responses[min(requests.values.count, responses.count) - 1]
        }
    }

    private func download(_ token: String? = "hf_secret") async throws -> NetqueueRun {
        try await recipe.run("Download a commit", environment: token.map { ["HF_TOKEN": $0] } ?? [:])
    }

    @Test func `A commit arrives whole, and another host gets no token`() async throws {
        #expect(recipe.headings == ["Download a commit"])
        let run = try await download()
        #expect(run.exitCode == 0, "\(run.error)")
        #expect(try rig.folder.files(in: "gpt2") == ["config #1.json", "onnx/decoder.onnx"])
        #expect(try rig.folder.read("gpt2/config #1.json") == "{}\n")
        #expect(try rig.folder.read("gpt2/onnx/decoder.onnx") == weights)
        #expect(rig.server.requests.allSatisfy { $0.headers["Authorization"] == "Bearer hf_secret" })
        #expect(rig.server.requestCount("\(files)/config%20%231.json") == 2)
        // No size is asked for, and the second link continues what the first one has begun.
        #expect((rig.server.requests + storage.requests).allSatisfy { $0.method == "GET" })
        #expect(storage.requests.map(\.path) == ["/1", "/2"])
        #expect(storage.requests.allSatisfy { $0.headers["Authorization"] == nil })
        #expect(storage.requests.last?.headers["Range"]?.hasPrefix("bytes=") == true)
    }

    @Test func `Only the user can read the list, and a second run requests nothing else`() async throws {
        _ = try await download()
        let list = rig.folder.file("list.jsonl").path(percentEncoded: false)
        #expect(try FileManager.default.attributesOfItem(atPath: list)[.posixPermissions] as? Int == 0o600)
        #expect(try rig.folder.read("list.jsonl").contains("hf_secret"))
        rig.server.forgetRequests()
        let again = try await download()
        #expect(again.exitCode == 0 && again.output.contains("2 already there"), "\(again.output)\(again.error)")
        #expect(rig.server.requests.map(\.path) == [tree, tree])
        try rig.folder.write(weights.uppercased(), to: "gpt2/onnx/decoder.onnx")
        let damaged = try await download()
        #expect(damaged.exitCode == 1 && damaged.error.contains("already exists with another checksum"))
    }

    @Test(arguments: [nil, "wrong"])
    func `Without the right token nothing looks like success`(token: String?) async throws {
        let run = try await download(token)
        #expect(run.exitCode != 0 && run.error.contains("401"))
        #expect(rig.server.requests.map { $0.headers["Authorization"] } == [token.map { "Bearer \($0)" }])
    }
}
