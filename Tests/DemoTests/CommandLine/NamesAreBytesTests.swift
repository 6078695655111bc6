#if canImport(Glibc)
    import Foundation
    import LoopbackHTTP
    import TestSupport
    import Testing

    /// Names that are equal, or have no beginning of their own, as characters. File systems of Apple's normalize names.
    @Suite(.timeLimit(.minutes(10)))
    struct NamesAreBytesTests {
        private static let names = OddName.twins.flatMap { [$0, $1] } + OddName.joining + OddName.spaced
        private let rig: NetqueueRig

        init() throws {
            rig = try NetqueueRig()
            for folder in ["d", "d/sub"] {
                try FileManager.default.createDirectory(at: rig.folder.file(folder), withIntermediateDirectories: true)
            }
        }

        private func encoded(_ name: String) throws -> String {
            try #require(name.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        }

        /// What was sent where.
        private var sent: Set<String> {
            Set(rig.server.requests.map { "\($0.path) \(String(decoding: $0.body, as: UTF8.self))" })
        }

        @Test func `Each file is uploaded to a URL of its own, by name, from a list and from a folder`() async throws {
            rig.server.serve("/in/*", .status(201))
            var expected: Set<String> = []
            for (index, name) in Self.names.enumerated() {
                try rig.folder.write("\(index)", to: "d/\(name)")
                expected.insert("/in/\(try encoded(name)) \(index)")
            }
            let paths = Self.names.map { "d/\($0)" }
            try rig.folder.write(paths.joined(separator: "\n"), to: "list")
            for arguments in [paths, ["-i", "list"], ["-r", "d/."]] {
                rig.server.forgetRequests()
                let run = try await rig.run(["upload"] + arguments + [rig.url("/in/")])
                #expect(run.exitCode == 0 && sent == expected, "\(run)")
                #expect(rig.server.requests.count == Self.names.count)
            }
            rig.server.forgetRequests()
            try rig.folder.write(Self.names.map { "d/\($0)\tout=x/\($0)\r\n" }.joined(), to: "list")
            let run = try await rig.run("upload", "-i", "list", "/in/")
            #expect(run.exitCode == 0)
            #expect(sent == Set(expected.map { "/in/x" + $0.dropFirst("/in".count) }))
        }

        /// The SHA-256 of “0” and “1”.
        private static let digests = [
            "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9",
            "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b",
        ]

        @Test
        func `Each URL of a list is downloaded to a file of its own, and a checksum list has a line for each`()
            async throws
        {
            let names = OddName.twins.flatMap { [$0, $1] } + OddName.joining
            var sums = ""
            for (index, name) in names.enumerated() {
                rig.server.serve("/\(try encoded(name))", .text("\(index % 2)"))
                let digits = Self.digests[index % 2]
                sums += index.isMultiple(of: 3) ? "\(digits) *\(name)\n" : "SHA256 (\(name)) = \(digits)\n"
            }
            try rig.folder.write(sums, to: "SUMS")
            try rig.folder.write(try names.map { rig.url("/\(try encoded($0))") }.joined(separator: "\n"), to: "list")
            let run = try await rig.run("-i", "list", "--checksums=SUMS", "--dir=new")
            #expect(run.exitCode == 0 && run.output.hasPrefix("\(names.count) files, "), "\(run)")
            for (index, name) in names.enumerated() { #expect(try rig.folder.read("new/\(name)") == "\(index % 2)") }
            #expect(!run.error.contains("SUMS"))
            let verify = try await rig.run("--verify", "--checksums=SUMS", "--dir=new")
            #expect(verify.exitCode == 0 && verify.output.hasPrefix("\(names.count) files, "), "\(verify)")
        }

        @Test func `The fields of a list name files byte for byte, and so does the list of failures`() async throws {
            let names = Self.names + ["x ", " x"]
            rig.server.serve("/a", .text("1"))
            let list = names.map { "\(rig.url("/a"))\tout=sub/\($0)\theader=X-Name: \($0)|" }.joined(separator: "\r\n")
            try rig.folder.write(list, to: "list")
            let failed = try await rig.run([
                "-i", "list", "--retries=0", "--failed=again", "--proxy=http://127.0.0.1:1",
            ])
            #expect(failed.exitCode == 1)
            let run = try await rig.run("-i", "again", "--dir=new")
            #expect(run.exitCode == 0 && run.output.hasPrefix("\(names.count) files, "), "\(run)")
            for name in names { #expect(try rig.folder.read("new/sub/\(name)") == "1") }
            let fields = Set(rig.server.requests.compactMap { $0.headers["X-Name"].map { Array($0.utf8) } })
            #expect(fields == Set(names.map { Array("\($0.trimmingPrefix(" "))|".utf8) }))
        }

        @Test func `Each part is found and deleted, whatever its name`() async throws {
            for name in Self.names {
                for folder in ["d", "d/sub"] { try rig.folder.write("1", to: "\(folder)/\(name).nqk.part") }
            }
            let run = try await rig.run("clean", "--delete", "d")
            #expect(run.output.hasSuffix("total of \(2 * Self.names.count) parts, deleted\n"), "\(run)")
            #expect(try rig.folder.files(in: "d").isEmpty)
        }

        @Test func `Suggested names of other bytes are the names of files of their own`() async throws {
            let names = OddName.twins.flatMap { [$0, $1] }
            for (index, name) in names.enumerated() {
                let field = "attachment; filename*=UTF-8''\(try encoded(name))"
                rig.server.serve("/\(index)", .text("\(index)").header("Content-Disposition", field))
            }
            let run = try await rig.run(["--content-disposition"] + names.indices.map { rig.url("/\($0)") })
            #expect(run.exitCode == 0)
            for (index, name) in names.enumerated() { #expect(try rig.folder.read(name) == "\(index)") }
        }
    }
#endif
