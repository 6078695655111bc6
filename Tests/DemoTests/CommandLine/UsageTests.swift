import TestSupport
import Testing

@testable import netqueue

struct UsageTests {
    private static let url = "http://127.0.0.1/a"
    private static let secure = "https://127.0.0.1/a"

    @Test(
        arguments: [
            ([], "no URL"), (["--bogus", url], "--bogus"), (["-j"], "-j"), (["-j0", url], "--jobs"),
            (["--jobs=many", url], "many"), (["--quiet=yes", url], "--quiet"),
            (["--progress", "sometimes", url], "sometimes"), (["--retries", "-1", url], "--retries"),
            (["--retry-delay=x", url], "--retry-delay"), (["--checkers", "0", url], "--checkers"),
            (["--timeout", "0", url], "--timeout"), (["--output=", url], "--output"),
            (["--fsync", "always", url], "--fsync must be end, each or never; got “always”"),
            (["upload", "--fsync", "end", "a", url], "--fsync is not an option"),
            (["--files", "3", url], "--files"),
            (["demo", "--retries", "3"], "--retries"), (["demo", "--checkers", "3"], "--checkers"),
            (["demo", url], url), (["demo", "-d", "out"], "--dir"), (["demo", "--seconds", "nan"], "--seconds"),
            (["upload", url], "no file"), (["upload"], "no URL"), (["upload", "a", "b", url], "ends with /"),
            (["upload", "--form", "a=b", "c", url], "--form NAME=@FILE"), (["upload", "--form", "a", url], "--form"),
            (["upload", "-d", "x", "a", url], "--dir"), (["upload", "-i", "list", url], "ends with /"),
            (["upload", "-", "http://h/in/"], "standard input needs a URL that ends with a name"),
            (["upload", "-r", "a.txt", url], "ends with /"),
            (["upload", "-", "-i", "-", "http://h/"], "cannot be both"),
            (["upload", "-i", "list", "--form", "a=b", url], "is not part of the form"),
            (["sizes"], "no URL"), (["sizes", "-o", "x", url], "--output"), (["clean"], "no folder"),
            (["clean", "missing"], "“missing” is not a folder"), (["clean", "-j3", "."], "--jobs"),
            (["completions"], "bash, zsh or fish"), (["completions", "csh"], "bash"), (["man", "x"], "man"),
            (["-q", "-v", url], "--verbose"), (["--json", "-o-", url], "--json"),
            (["--update", "--keep", url], "--update and --keep"), (["-o", "f", url, "http://127.0.0.1/b"], "--dir"),
            (["-o", "f/", url], "--dir"), (["-o", "f", "--dirs", url], "--dirs"),
            (["--cookies=jar", "--no-cookies", url], "--cookies and --no-cookies cannot be combined"),
            (["--checksum", "sha256:00", url], "64 hexadecimal digits"),
            (["--checksum", "md5:" + String(repeating: "0", count: 32), "-i", "list"], "--checksum"),
            (["-H", "no field", url], "--header"), (["--key", "k", url], "--cert"),
            (["--limit-rate", "fast", url], "500K"), (["--rate", "60", url], "60/m"), (["--rate=0/s", url], "60/m"),
            (["--min-rate", "slow", url], "10K"), (["--shard", "3/2", url], "1 ≤ K ≤ N; got “3/2”"),
            (["--accept", "zip", url], "--accept must be a media type"),
            (["--accept", "text/html; charset=utf-8", url], "such as application/zip or image/*; got “text/html; "),
            (["--accept", "*/png", url], "--accept"), (["sizes", "--accept", "a/b", url], "--accept is not an option"),
            (["--exec", "sh", "-o-", url], "--output - and --exec"),
            (["--exec", "sh", "--verify", url], "--verify and --exec"), (["--exec=", url], "--exec requires a value"),
            (["sizes", "--exec", "sh", url], "--exec is not an option"),
            (["upload", "--exec", "sh", "a", url], "--exec is not an option"),
            (["--on-download-complete", "sh", url], "--exec COMMAND"),
            (["--failed", "-", url], "--failed must be a file"),
            (["upload", "--write-checksums", "-", "a", url], "--write-checksums must be a file"),
            (["upload", "--failed", "f", "a", url], "--failed needs a URL that ends with /, as -i does"),
            (["upload", "--failed=f", "--write-checksums=f", "a", "http://h/"], "need a file each"),
            (["upload", "--form", "a=b", "--failed=f", url], "--failed is for files, not for a form"),
            (["upload", "--form", "a=b", "--shard=1/2", url], "--shard is for files"),
            (["upload", "--form", "a=b", "--write-checksums=f", url], "--write-checksums is for files"),
            (["upload", "--checksums", "f", "a", url], "--checksums is not an option for “netqueue upload”"),
            (["--write-checksums", "f", url], "--write-checksums is not an option for a download"),
            (["-n", "--verify", url], "--dry-run and --verify"), (["-n", "-o-", url], "--dry-run and --output -"),
            (["sizes", "-n", url], "--dry-run is not an option"),
            (["upload", "--no-space-check", "a", url], "--no-space-check is not an option"),
            // What other programs call it.
            (["--retrys", "3", url], "did you mean “--retries”?"), (["--job"], "did you mean “--jobs”?"),
            (["-c"], "the same command resumes an interrupted download, without an option"), (["-O"], "use -o FILE"),
            (["-k"], "use --cacert FILE to trust other authorities"), (["--insecure"], "--cacert"),
            (["--max-redirs", "0"], "--no-redirect"),
            (["-L"], "redirects are followed, except from https to http"), (["-x"], "use --proxy URL for a proxy"),
            (["--continue"], "the same command"), (["--load-cookies", "f"], "--cookies FILE"),
            (["--retry", "3"], "--retries N"), (["--tries=3"], "--retries N"), (["--max-tries", "3"], "--retries N"),
            (["--max-time", "3"], "--timeout S"), (["--input-file", "f"], "-i FILE"),
            (["--directory-prefix", "f"], "-d DIR"), (["--directory=f"], "-d DIR"),
            (["--max-concurrent-downloads=3"], "-j N"), (["--no-clobber"], "--keep"), (["--timestamping"], "--update"),
            (["-N"], "--update"), (["--spider"], "netqueue sizes"),
            (["--bwlimit", "1M"], "--limit-rate"), (["--http-user=a"], "-u USER"), (["--password=a"], "-u USER"),
            (["--http-password=a"], "-u USER"), (["-X", "PUT"], "netqueue upload"), (["-b", "f"], "--cookies FILE"),
        ] as [([String], String)])
    func `Options that are wrong, missing or contradictory are refused by name`(arguments: [String], text: String) {
        let error = #expect(throws: UsageError.self) { try Invocation(arguments: arguments) }
        #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
    }

    @Test(
        arguments: [
            (["--job", url], "unknown option \"--job\"; did you mean \"--jobs\"?\n"),
            (["ftp://127.0.0.1/a"], "ftp://127.0.0.1/a"), (["file.txt"], "file.txt"), ([""], "URL"),
            (["http://"], "http://"), (["http:///z"], "no host in \"http:///z\""),
            (["https://"], "no host in \"https://\""), (["example.com/a"], "did you mean \"https://example.com/a\"?"),
            (["--shard", "3/2", url], "1 <= K <= N; got \"3/2\""), (["--netrc", url], "--netrc"),
            (["--cookies=none", url], "--cookies: \"none\" cannot be read: No such file"),
            (["upload", "missing", url], "\"missing\" cannot be read: No such file or directory"),
            (["upload", "-i", "none", "http://h/"], "cannot be read"), (["--proxy", "gopher://h", url], "--proxy"),
            (["--proxy", "http://u:1/2@h:1", url], "write / as %2F"),
            (["--cacert", "missing.pem", secure], "--cacert: \"missing.pem\" cannot be read: No such file"),
            (["--cert", "missing.pem", secure], "--cert: \"missing.pem\" cannot be read: No such file"),
            (["--cacert", "/dev/null", secure], "--cacert: \"/dev/null\" is not a regular file"),
            (["--cacert", "/etc/passwd", secure], "--cacert: \"/etc/passwd\" contains no PEM certificate"),
            (["--cert", "/etc/passwd", secure], "--cert: \"/etc/passwd\" contains no PEM certificate"),
        ] as [([String], String)])
    func `A wrong command line ends with 64 and says what is wrong`(arguments: [String], text: String) async throws {
        let rig = try NetqueueRig()
        let run = try await rig.run(arguments, environment: ["NETRC": "missing"])
        #expect(run.exitCode == 64)
        #expect(run.output.isEmpty)
        #expect(run.error.hasPrefix("netqueue: "))
        #expect(run.error.contains(text))
        #expect(run.error.hasSuffix("\nTry \"netqueue --help\".\n"))
        #expect(try rig.folder.files() == [])
    }

    @Test func `An argument that is not UTF-8 ends the program with 64 and touches no file`() async throws {
        let rig = try NetqueueRig()
        let run = try await rig.run(
            ["-d"], shell: "exec \"$@\" \"$(printf 't\\374')\" http://127.0.0.1:1/a")
        #expect(run.exitCode == 64 && run.error.contains("argument \"t%FC\" is not UTF-8"))
        #expect(try rig.folder.files() == [])
    }

    @Test(arguments: [["--help"], [url, "-qh"]])
    func `The option --help prints every option of a download to the standard output`(arguments: [String]) async throws
    {
        let run = try await NetqueueRig().run(arguments)
        #expect(run.exitCode == 0)
        #expect(run.error.isEmpty)
        for option in Option.all where option.commands.contains(.download) {
            #expect(run.output.contains("--\(option.long)"))
        }
        for word in ["demo", "130", "64", "out=", "Examples:"] { #expect(run.output.contains(word)) }
    }

    @Test func `The help for the demo has only the options of the demo`() async throws {
        let run = try await NetqueueRig().run("demo", "--help")
        #expect(run.exitCode == 0)
        for option in Option.all {
            #expect(run.output.contains("--\(option.long)") == option.commands.contains(.demo))
        }
    }

    @Test func `The option --version prints the version`() async throws {
        let run = try await NetqueueRig().run("--version")
        #expect(run.exitCode == 0)
        #expect(run.output.hasPrefix("netqueue "))
    }
}
