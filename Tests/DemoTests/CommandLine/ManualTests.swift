import Foundation
import TestSupport
import Testing

@testable import netqueue

struct ManualTests {
    /// Runs a program with `text` in a file, whose path is its last argument; `nil` where it is not installed.
    private func run(_ program: String, _ arguments: [String], on text: String) throws -> (code: Int32, error: String)?
    {
        guard
            let path = ["/bin/", "/usr/bin/"].map({ $0 + program }).first(where: FileManager.default.isExecutableFile)
        else { return nil }
        let folder = try TemporaryFolder()
        try folder.write(text, to: "file")
        let program = try SpawnedProgram(
            path, arguments + [folder.file("file").path(percentEncoded: false)], environment: [:],
            streams: [folder.handle("in"), folder.handle("out"), folder.handle("error")])
        return (program.waitUntilEnd().code, try folder.read("error"))
    }

    @Test(arguments: Shell.allCases)
    func `Completions have every option, and the shell can read them`(shell: Shell) throws {
        let script = shell.completions
        for option in Option.all {
            #expect(script.contains(shell == .fish ? "-l \(option.long)" : "--\(option.long)"))
        }
        for command in Command.allCases where command != .download { #expect(script.contains(command.rawValue)) }
        if let result = try run(shell.rawValue, ["-n"], on: script) {
            #expect(result.code == 0 && result.error.isEmpty, "\(result.error)")
        }
    }

    @Test func `Completions in bash know options, values, commands and files`() throws {
        try #require(FileManager.default.isExecutableFile(atPath: "/bin/bash"))
        let check = """

            COMP_WORDS=(netqueue --no-si); COMP_CWORD=1; _netqueue; [[ ${COMPREPLY[*]} == --no-sizing ]] || exit 1
            COMP_WORDS=(netqueue --progress n); COMP_CWORD=2; _netqueue; [[ ${COMPREPLY[*]} == never ]] || exit 2
            COMP_WORDS=(netqueue up); COMP_CWORD=1; _netqueue; [[ ${COMPREPLY[*]} == upload ]] || exit 3
            COMP_WORDS=(netqueue -j 4); COMP_CWORD=2; _netqueue; [[ -z ${COMPREPLY[*]} ]] || exit 4
            COMP_WORDS=(netqueue upload --f); COMP_CWORD=2; _netqueue; [[ ${COMPREPLY[*]} == '--fail-fast --failed --form' ]] || exit 5
            cd "$(dirname "$0")"; touch 'a name' 'a word'
            COMP_WORDS=(netqueue upload a); COMP_CWORD=2; _netqueue
            [[ ${#COMPREPLY[@]} -eq 2 && ${COMPREPLY[0]} == 'a name' ]] || exit 6

            """
        #expect(try run("bash", [], on: Shell.bash.completions + check)?.code == 0)
    }

    @Test func `The man page has every option`() {
        let lines = ManPage.text.split(separator: "\n")
        for option in Option.all {
            let name = option.long.replacing("-", with: "\\-")
            #expect(lines.contains { $0.hasPrefix(".B ") && $0.contains("\\-\\-\(name)") })
        }
        // Nothing but what is meant as a macro begins as one.
        let macros: Set = [".TH", ".SH", ".SS", ".TP", ".B", ".br", ".nf", ".fi"]
        #expect(lines.allSatisfy { !$0.hasPrefix(".") || macros.contains(String($0.prefix { $0 != " " })) })
    }

    @Test func `The man page fits into 80 columns`() {
        var isFilled = true
        for line in ManPage.text.split(separator: "\n") {
            if line == ".nf" || line == ".fi" { isFilled = line == ".fi" }
            // Text that is not filled is as wide as its lines, behind seven columns.
            let text = line.replacing("\\e", with: "\\").replacing("\\-", with: "-").replacing("\\&", with: "")
            if !isFilled { #expect(7 + text.count <= 80, "\(text)") }
        }
    }

    @Test func `The help for a command says nothing of others`() {
        let upload = HelpText.text(.upload)
        for word in ["download", "demo", "sizes", "URLs, or", "last URL", "-o -"] { #expect(!upload.contains(word)) }
        let download = HelpText.options(.download)
        for word in ["upload", "--form", "demo", "the table"] { #expect(!download.contains(word)) }
        #expect(HelpText.text(.demo).contains("(default: 6)") && HelpText.text(.download).contains("(default: 4)"))
        let sizes = HelpText.text(.sizes)
        for word in ["upload", "demo", "download requests"] { #expect(!sizes.contains(word)) }
        #expect(sizes.contains("Print the table and errors only."))
    }

    @Test(arguments: [Command.download, .upload, .sizes, .demo])
    func `The help for each command with a bar names its keys, as the man page does`(command: Command) {
        let keys = "p pauses the transfers, r resumes them, and q"
        #expect(HelpText.text(command).contains(keys) && ManPage.text.contains(keys))
    }

    @Test func `The help says where JSON is described, what --no-sizing costs and which mode files get`() {
        let words = HelpText.text(.download).split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        #expect(words.contains("The manual page (netqueue man) describes its fields under “JSON”."))
        #expect(words.contains("Until all sizes are known, the percentage counts files"))
        #expect(words.contains("Files get the mode 666 less the umask, also those that replace others."))
        #expect(words.contains("If a server cannot be reached, its transfers are retried for 30 seconds"))
    }

    @Test(arguments: Command.allCases)
    func `The help for each command has its synopsis and fits into 80 columns`(command: Command) {
        let text = HelpText.text(command)
        #expect(text.contains(command.synopsis))
        for line in text.split(separator: "\n") { #expect(line.count < 80, "\(line)") }
        #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
    }

    /// Programs read it: what is here stays, and what is new is put here.
    @Test func `The fields and error codes of the JSON do not change silently`() {
        let fields = Mirror(reflecting: JSONLog.Event(event: "start")).children.compactMap(\.label)
        #expect(
            fields.sorted() == [
                "answer", "attempts", "body", "bytes", "cancelled", "current", "error", "event", "failed", "file",
                "finished", "group", "kept", "mirror", "name", "offset", "plan", "progress", "reason", "seconds",
                "shard", "size", "space", "state", "status", "time",
                "total",
                "unchecked", "unflushed", "url", "v",
            ])
        #expect(
            JobFailure.Code.allCases.map(\.rawValue).sorted() == [
                "checksum", "connect", "disk", "dns", "exec", "exists", "file", "http", "line", "login", "lost", "name",
                "other",
                "output", "redirects", "resources", "response", "size", "space", "stage", "timeout", "tls",
                "type",
            ])
        for code in JobFailure.Code.allCases {
            #expect(HelpText.json.contains(try! Regex("[ ,]\(code.rawValue)[ ,\n]")), "\(code)")
        }
    }

    @Test func `The man page has every event and field of the JSON`() {
        for child in Mirror(reflecting: JSONLog.Event(event: "start")).children {
            #expect(HelpText.json.contains(child.label ?? "-"), "\(child)")
        }
        for event in ["plan", "start", "progress", "retry", "finish", "fail", "cancel", "group", "check", "summary"] {
            #expect(HelpText.json.contains("  \(event) "))
        }
        #expect(ManPage.text.contains(".SH \"JSON\""))
    }
}
