import Testing

@Suite("The command line")
struct UsageTests {
    @Test(
        arguments: [
            ([], "no URL"), (["--bogus", "http://127.0.0.1/"], "--bogus"), (["-x"], "-x"), (["-j"], "-j"),
            (["-j0", "http://127.0.0.1/"], "--jobs"), (["--jobs=many", "http://127.0.0.1/"], "many"),
            (["ftp://127.0.0.1/a"], "ftp://127.0.0.1/a"), (["file.txt"], "file.txt"), ([""], "URL"),
            (["http://"], "http://"),
            (["-i", "missing.txt"], "missing.txt"), (["--quiet=yes", "http://127.0.0.1/"], "--quiet"),
            (["--progress", "sometimes", "http://127.0.0.1/"], "sometimes"),
            (["--retries", "-1", "http://127.0.0.1/"], "--retries"),
            (["--retry-delay=x", "http://127.0.0.1/"], "--retry-delay"),
            (["demo", "--retries", "3"], "--retries"), (["demo", "--checkers", "3"], "--checkers"),
            (["--checkers", "0", "http://127.0.0.1/"], "--checkers"),
            (["--files", "3", "http://127.0.0.1/"], "--files"),
            (["demo", "http://127.0.0.1/"], "http://127.0.0.1/"), (["demo", "-o", "out"], "--output"),
            (["demo", "--seconds", "nan"], "--seconds"), (["--output=", "http://127.0.0.1/"], "--output"),
        ] as [([String], String)])
    func `that is wrong ends with 2 and says what is wrong`(arguments: [String], name: String) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let run = try await NetqueueRun.run(arguments, in: folder)
        #expect(run.exitCode == 2)
        #expect(run.output.isEmpty)
        #expect(run.error.hasPrefix("netqueue: "))
        #expect(run.error.contains(name))
        #expect(run.error.contains("--help"))
        #expect(try folder.files() == [])
    }

    @Test(arguments: [["--help"], ["-h"], ["demo", "--help"], ["http://127.0.0.1/", "-qh"]])
    func `that asks for help gets it on the standard output`(arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let run = try await NetqueueRun.run(arguments, in: folder)
        #expect(run.exitCode == 0)
        #expect(run.error.isEmpty)
        for word in [
            "--output", "--jobs", "--checkers", "--input", "--overwrite", "--retries", "--retry-delay", "--progress",
            "--quiet",
            "demo", "130",
        ] {
            #expect(run.output.contains(word))
        }
        #expect(run.output.split(separator: "\n").allSatisfy { $0.count < 90 })
    }

    @Test func `that asks for the version gets it`() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let run = try await NetqueueRun.run(["--version"], in: folder)
        #expect(run.exitCode == 0)
        #expect(run.output.hasPrefix("netqueue "))
    }
}
