import TestSupport
import Testing

@testable import netqueue

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
            (["demo", "http://127.0.0.1/"], "http://127.0.0.1/"), (["demo", "-d", "out"], "--dir"),
            (["--retrys", "3", "http://127.0.0.1/"], "did you mean \"--retries\"?"),
            (["upload", "http://127.0.0.1/"], "no file"), (["upload"], "no URL"),
            (["upload", "a", "b", "http://127.0.0.1/x"], "ends with /"),
            (["upload", "missing", "http://127.0.0.1/x"], "\"missing\" cannot be read: No such file or directory"),
            (["upload", "--form", "a=b", "c", "http://127.0.0.1/x"], "--form NAME=@FILE"),
            (["upload", "--form", "a", "http://127.0.0.1/x"], "--form"),
            (["upload", "-d", "x", "a", "http://h/"], "--dir"),
            (["sizes"], "no URL"), (["sizes", "-o", "x", "http://127.0.0.1/"], "--output"),
            (["completions"], "bash, zsh or fish"), (["completions", "csh"], "bash"), (["man", "x"], "man"),
            (["-q", "-v", "http://127.0.0.1/"], "--verbose"), (["--json", "-o-", "http://127.0.0.1/"], "--json"),
            (["--update", "--keep", "http://127.0.0.1/"], "--update and --keep"),
            (["-o", "f", "http://127.0.0.1/a", "http://127.0.0.1/b"], "--dir"),
            (["-o", "f/", "http://127.0.0.1/a"], "--dir"), (["-o", "f", "--dirs", "http://127.0.0.1/a"], "--dirs"),
            (["--checksum", "sha256:00", "http://127.0.0.1/a"], "64 hexadecimal digits"),
            (["--checksum", "md5:" + String(repeating: "0", count: 32), "-i", "list"], "--checksum"),
            (["-H", "no field", "http://127.0.0.1/a"], "--header"), (["--key", "k", "http://127.0.0.1/a"], "--cert"),
            (["--proxy", "gopher://h", "http://127.0.0.1/a"], "--proxy"),
            (["--limit-rate", "fast", "http://127.0.0.1/a"], "500K"),
            (["--shard", "3/2", "http://127.0.0.1/a"], "1 <= K <= N; got \"3/2\""),
            (
                ["--cacert", "missing.pem", "https://127.0.0.1/a"],
                "--cacert: \"missing.pem\" cannot be read: No such file"
            ),
            (["--cert", "missing.pem", "https://127.0.0.1/a"], "--cert: \"missing.pem\" cannot be read: No such file"),
            (["--cacert", "/dev/null", "https://127.0.0.1/a"], "--cacert: \"/dev/null\" is not a regular file"),
            (
                ["--cacert", "/etc/passwd", "https://127.0.0.1/a"],
                "--cacert: \"/etc/passwd\" contains no PEM certificate"
            ),
            (
                ["--cert", "/etc/passwd", "https://127.0.0.1/a"],
                "--cert: \"/etc/passwd\" contains no PEM certificate"
            ),
            (["--verify", "--checksums", "S", "--failed", "F"], "--failed writes a list of URLs"),
            (["--failed", "-", "http://127.0.0.1/a"], "--failed must be a file"),
            (["--proxy", "http://u:1/2@h:1", "http://127.0.0.1/a"], "write / as %2F"),
            (["http:///z"], "no host in \"http:///z\""), (["https://"], "no host in \"https://\""),
            (["example.com/a"], "did you mean \"https://example.com/a\"?"),
            (["--load-cookies", "f"], "--cookies FILE"), (["--retry", "3"], "--retries N"),
            (["--tries=3"], "--retries N"), (["--max-tries", "3"], "--retries N"),
            (["--max-time", "3"], "--timeout S"),
            (["--input-file", "f"], "-i FILE"), (["--directory-prefix", "f"], "-d DIR"), (["--directory=f"], "-d DIR"),
            (["--max-concurrent-downloads=3"], "-j N"), (["--no-clobber"], "--keep"), (["--timestamping"], "--update"),
            (["-N"], "--update"), (["--spider"], "netqueue sizes"), (["--dry-run"], "netqueue sizes"),
            (["--bwlimit", "1M"], "--limit-rate"), (["--http-user=a"], "-u USER"), (["--password=a"], "-u USER"),
            (["--http-password=a"], "-u USER"), (["-X", "PUT"], "netqueue upload"), (["-b", "f"], "--cookies FILE"),
            (["--netrc", "http://127.0.0.1/a"], "--netrc"), (["--timeout", "0", "http://127.0.0.1/a"], "--timeout"),
            (["demo", "--seconds", "nan"], "--seconds"), (["--output=", "http://127.0.0.1/"], "--output"),
        ] as [([String], String)])
    func `A wrong command line ends with 64 and says what is wrong`(arguments: [String], name: String) async throws {
        let folder = try TemporaryFolder()
        let run = try await NetqueueRun.run(arguments, in: folder, environment: ["NETRC": "missing"])
        #expect(run.exitCode == 64)
        #expect(run.output.isEmpty)
        #expect(run.error.hasPrefix("netqueue: "))
        #expect(run.error.contains(name))
        #expect(run.error.contains("--help"))
        #expect(try folder.files() == [])
    }

    @Test func `An argument that is not UTF-8 ends the program with 64 and touches no file`() async throws {
        let folder = try TemporaryFolder()
        let run = try await NetqueueRun.run(
            ["-d"], in: folder, shell: "exec \"$@\" \"$(printf 't\\374')\" http://127.0.0.1:1/a")
        #expect(run.exitCode == 64 && run.error.contains("argument \"t%FC\" is not UTF-8"))
        #expect(try folder.files() == [])
    }

    @Test(arguments: [["--help"], ["-h"], ["http://127.0.0.1/", "-qh"]])
    func `The option --help prints every option of a download to the standard output`(arguments: [String]) async throws
    {
        let folder = try TemporaryFolder()
        let run = try await NetqueueRun.run(arguments, in: folder)
        #expect(run.exitCode == 0)
        #expect(run.error.isEmpty)
        for option in Option.allCases where option.commands.contains(.download) {
            #expect(run.output.contains("--\(option.long)"))
        }
        for word in ["demo", "130", "64", "out=", "Examples:"] { #expect(run.output.contains(word)) }
        #expect(run.output.split(separator: "\n").allSatisfy { $0.count < 90 })
    }

    @Test func `The help for the demo has only the options of the demo`() async throws {
        let folder = try TemporaryFolder()
        let run = try await NetqueueRun.run(["demo", "--help"], in: folder)
        #expect(run.exitCode == 0)
        for option in Option.allCases {
            #expect(run.output.contains("--\(option.long)") == option.commands.contains(.demo))
        }
    }

    @Test func `The option --version prints the version`() async throws {
        let folder = try TemporaryFolder()
        let run = try await NetqueueRun.run(["--version"], in: folder)
        #expect(run.exitCode == 0)
        #expect(run.output.hasPrefix("netqueue "))
    }
}
