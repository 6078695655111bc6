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
        for option in Option.allCases {
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

            COMP_WORDS=(netqueue --no-s); COMP_CWORD=1; _netqueue; [[ ${COMPREPLY[*]} == --no-sizing ]] || exit 1
            COMP_WORDS=(netqueue --progress n); COMP_CWORD=2; _netqueue; [[ ${COMPREPLY[*]} == never ]] || exit 2
            COMP_WORDS=(netqueue up); COMP_CWORD=1; _netqueue; [[ ${COMPREPLY[*]} == upload ]] || exit 3
            COMP_WORDS=(netqueue -j 4); COMP_CWORD=2; _netqueue; [[ -z ${COMPREPLY[*]} ]] || exit 4
            COMP_WORDS=(netqueue upload --f); COMP_CWORD=2; _netqueue; [[ ${COMPREPLY[*]} == '--fail-fast --form' ]] || exit 5
            cd "$(dirname "$0")"; touch 'a name' 'a word'
            COMP_WORDS=(netqueue upload a); COMP_CWORD=2; _netqueue
            [[ ${#COMPREPLY[@]} -eq 2 && ${COMPREPLY[0]} == 'a name' ]] || exit 6

            """
        #expect(try run("bash", [], on: Shell.bash.completions + check)?.code == 0)
    }

    @Test func `The man page has every option`() {
        let lines = ManPage.text.split(separator: "\n")
        for option in Option.allCases {
            let name = option.long.replacing("-", with: "\\-")
            #expect(lines.contains { $0.hasPrefix(".B ") && $0.contains("\\-\\-\(name)") })
        }
        // Nothing but what is meant as a macro begins as one.
        let macros: Set = [".TH", ".SH", ".SS", ".TP", ".B", ".br", ".nf", ".fi"]
        #expect(lines.allSatisfy { !$0.hasPrefix(".") || macros.contains(String($0.prefix { $0 != " " })) })
    }

    @Test(arguments: Command.allCases)
    func `The help for each command has its synopsis and is narrower than 90 columns`(command: Command) {
        let text = HelpText.text(command)
        #expect(text.contains(command.synopsis))
        #expect(text.split(separator: "\n").allSatisfy { $0.count < 90 })
        #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
    }

    /// Programs read it: what is here stays, and what is new is put here.
    @Test func `The fields and error codes of the JSON do not change silently`() {
        let fields = Mirror(reflecting: JSONLog.Event(event: "start")).children.compactMap(\.label)
        #expect(
            fields.sorted() == [
                "attempts", "body", "bytes", "cancelled", "current", "error", "event", "failed", "file", "finished",
                "kept", "mirror", "name", "reason", "seconds", "size", "status", "time", "total", "unchecked",
                "unflushed",
                "url",
            ])
        #expect(
            JobFailure.Code.allCases.map(\.rawValue).sorted() == [
                "checksum", "connect", "disk", "dns", "exists", "file", "http", "line", "login", "lost", "name",
                "other",
                "output", "redirects", "resources", "response", "size", "timeout", "tls",
            ])
        for code in JobFailure.Code.allCases {
            #expect(HelpText.json.contains(try! Regex("[ ,]\(code.rawValue)[ ,\n]")), "\(code)")
        }
    }

    @Test func `The man page has every event and field of the JSON`() {
        for child in Mirror(reflecting: JSONLog.Event(event: "start")).children {
            #expect(HelpText.json.contains(child.label ?? "-"), "\(child)")
        }
        for event in ["start", "retry", "finish", "fail", "cancel", "summary"] {
            #expect(HelpText.json.contains("  \(event) "))
        }
        #expect(ManPage.text.contains(".SH \"JSON\""))
    }
}
