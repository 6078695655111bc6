#if canImport(Glibc)
    import Foundation
    import LoopbackHTTP
    import TestSupport
    import Testing

    /// Names that are equal, or have no beginning of their own, as characters. File systems of Apple's normalize names.
    @Suite(.timeLimit(.minutes(10)))
    struct NamesAreBytesTests {
        private static let names = OddName.twins.map { [$0, $1] } + [OddName.joining, OddName.spaced]

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

        /// The SHA-256 of “0”, “1”, “2” and “3”.
        private static let digests = [
            "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9",
            "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b",
            "d4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35",
            "4e07408562bedb8b60ce05c1decfe3ad16b72230967de01f640b7e4729b49fce",
        ]

        @Test(arguments: names)
        func `Each file is uploaded to a URL of its own, by name, from a list and from a folder`(names: [String])
            async throws
        {
            rig.server.serve("/in/*", .status(201))
            var expected: Set<String> = []
            for (index, name) in names.enumerated() {
                try rig.folder.write("\(index)", to: "d/\(name)")
                expected.insert("/in/\(try encoded(name)) \(index)")
            }
            let paths = names.map { "d/\($0)" }
            try rig.folder.write(paths.joined(separator: "\n"), to: "list")
            for arguments in [paths, ["-i", "list"], ["-r", "d/."]] {
                rig.server.forgetRequests()
                let run = try await rig.run(["upload"] + arguments + [rig.url("/in/")])
                #expect(run.exitCode == 0 && sent == expected && rig.server.requests.count == names.count, "\(run)")
            }
            rig.server.forgetRequests()
            try rig.folder.write(names.map { "d/\($0)\tout=x/\($0)\r\n" }.joined(), to: "list")
            let run = try await rig.run(["upload", "-i", "list", rig.url("/in/")])
            #expect(run.exitCode == 0)
            #expect(sent == Set(expected.map { "/in/x" + $0.dropFirst("/in".count) }))
        }

        @Test(arguments: OddName.twins.map { [$0, $1] } + [OddName.joining])
        func `Each URL of a list is downloaded to a file of its own, and a checksum list has a line for each`(
            names: [String]
        ) async throws {
            var sums = ""
            for (index, name) in names.enumerated() {
                rig.server.serve("/\(try encoded(name))", .text("\(index)"))
                let digits = Self.digests[index]
                sums += index.isMultiple(of: 2) ? "\(digits) *\(name)\n" : "SHA256 (\(name)) = \(digits)\n"
            }
            try rig.folder.write(sums, to: "SUMS")
            try rig.folder.write(try names.map { rig.url("/\(try encoded($0))") }.joined(separator: "\n"), to: "list")
            let run = try await rig.run(["-i", "list", "--checksums=SUMS", "--dir=new"])
            #expect(run.exitCode == 0 && run.output.hasPrefix("\(names.count) files, "), "\(run)")
            for (index, name) in names.enumerated() { #expect(try rig.folder.read("new/\(name)") == "\(index)") }
            #expect(!run.error.contains("SUMS"))
            let verify = try await rig.run(["--verify", "--checksums=SUMS", "--dir=new"])
            #expect(verify.exitCode == 0 && verify.output.hasPrefix("\(names.count) files, "), "\(verify)")
        }

        @Test(arguments: names)
        func `The fields of a list name files byte for byte, and so does the list of failures`(names: [String])
            async throws
        {
            let names = names + ["x ", " x"]
            rig.server.serve("/a", .text("1"))
            let list = names.map { "\(rig.url("/a"))\tout=sub/\($0)\theader=X-Name: \($0)|" }.joined(separator: "\r\n")
            try rig.folder.write(list, to: "list")
            let failed = try await rig.run([
                "-i", "list", "--retries=0", "--failed=again", "--proxy=http://127.0.0.1:1",
            ])
            #expect(failed.exitCode == 1)
            let run = try await rig.run(["-i", "again", "--dir=new"])
            #expect(run.exitCode == 0 && run.output.hasPrefix("\(names.count) files, "), "\(run)")
            for name in names { #expect(try rig.folder.read("new/sub/\(name)") == "1") }
            let fields = Set(rig.server.requests.compactMap { $0.headers["X-Name"].map { Array($0.utf8) } })
            #expect(fields == Set(names.map { Array("\($0.trimmingPrefix(" "))|".utf8) }))
        }

        @Test(arguments: names)
        func `Each part is found and deleted, whatever its name`(names: [String]) async throws {
            for name in names {
                for folder in ["d", "d/sub"] { try rig.folder.write("1", to: "\(folder)/\(name).nqk.part") }
            }
            let run = try await rig.run(["clean", "--delete", "d"])
            #expect(run.output.hasSuffix("total of \(2 * names.count) parts, deleted\n"), "\(run)")
            #expect(try rig.folder.files(in: "d").isEmpty)
        }

        @Test(arguments: OddName.twins)
        func `Suggested names of other bytes are the names of two files`(one: String, other: String) async throws {
            for (path, name) in [("/a", one), ("/b", other)] {
                rig.server.serve(
                    path, .text(path).header("Content-Disposition", "attachment; filename*=UTF-8''\(try encoded(name))")
                )
            }
            let run = try await rig.run(["--content-disposition", rig.url("/a"), rig.url("/b")])
            #expect(run.exitCode == 0)
            #expect(try rig.folder.read(one) == "/a" && rig.folder.read(other) == "/b")
        }
    }
#endif
