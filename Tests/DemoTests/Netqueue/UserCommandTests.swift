import Foundation
import TestSupport
import Testing

@testable import netqueue

/// The rules for commands of the user, tried with scripts.
@Suite(.timeLimit(.minutes(10)))
struct UserCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A command that runs a script, whose path has no blanks.
    private func command(
        _ script: String, words: String = "", atMost count: Int = 4, patience: Duration? = nil
    ) throws -> UserCommand {
        try folder.write(script + "\n", to: "script")
        let path = folder.file("script").path(percentEncoded: false)
        // Not the script itself: a process that another test is starting may have it open for writing.
        return try UserCommand("sh \(path)\(words)", of: "--refresh", atMost: count, patience: patience)
    }

    private func run(_ command: UserCommand, file: String? = nil) async throws -> UserCommand.Outcome {
        let url = try #require(URL(string: "https://me:secret@example.com/a?b=1"))
        return await command.run(file: file, url: url, isLastWord: true)
    }

    private func text(_ outcome: UserCommand.Outcome) -> String { String(decoding: outcome.output, as: UTF8.self) }

    @Test func `A command is split at blanks, and has the file and the URL as words and in its environment`()
        async throws
    {
        let command = try command(
            "printf '<%s>' \"$@\" \"$NETQUEUE_FILE\" \"$NETQUEUE_URL\"", words: " 'a  b' \t$HOME {} x{} ")
        let outcome = try await run(command, file: "/tmp/my file")
        let url = "https://example.com/a?b=1"
        #expect(outcome.fault == nil)
        #expect(text(outcome) == "<'a><b'><$HOME></tmp/my file><x{}><\(url)></tmp/my file><\(url)>")
        #expect(text(try await run(command)).contains("<{}>"))
    }

    @Test func `A command has an empty standard input, a group of its own and no other descriptor`() async throws {
        // A descriptor that an ordinary program would inherit.
        let descriptor = fcntl(STDERR_FILENO, F_DUPFD, 200)
        defer { close(descriptor) }
        let outcome = try await run(
            command(
                """
                read line || echo empty
                [ -e /dev/fd/\(descriptor) ] || echo closed
                [ "$(ps -o pgid= -p $$ | tr -d ' ')" = $$ ] && echo group
                """))
        #expect(text(outcome) == "empty\nclosed\ngroup\n")
    }

    @Test func `The last line of the standard error that is not blank is kept, and so is a status`() async throws {
        let outcome = try await run(command("echo first >&2; printf 'no such link \\r\\n\\n' >&2; echo x; exit 3"))
        #expect(outcome.fault == "ended with status 3" && outcome.lastLine == "no such link" && text(outcome) == "x\n")
        #expect(try await run(command("kill -9 $$")).fault == "was ended by signal 9")
    }

    @Test func `Of an endless output 64 KiB are kept, and the process is ended when its time is over`() async throws {
        let outcome = try await run(command("exec yes", patience: .milliseconds(200)))
        #expect(outcome.output.count == 65_536 && outcome.fault?.hasPrefix("took longer than") == true)
    }

    @Test func `A process that ignores the signal to end is killed`() async throws {
        let outcome = try await run(command("trap '' TERM; while :; do sleep 0.1; done", patience: .milliseconds(100)))
        #expect(outcome.fault?.hasPrefix("took longer than") == true)
    }

    @Test func `A process that is left behind with the streams is not waited for`() async throws {
        let outcome = try await run(command("sleep 600 & echo $!"))
        let process = try #require(pid_t(text(outcome).dropLast()))
        #expect(outcome.fault == nil && kill(process, 0) == 0)
        kill(process, SIGKILL)
    }

    @Test func `The process of a canceled task ends`() async throws {
        let mark = folder.file("mark").path(percentEncoded: false)
        let command = try command(": >'\(mark)'; exec sleep 600")
        let task = Task { await command.run(file: nil, url: URL(filePath: "/a"), isLastWord: false) }
        #expect(await eventually { FileManager.default.fileExists(atPath: mark) })
        task.cancel()
        #expect(await task.value.fault == "was canceled")
    }

    @Test(arguments: [("exec sleep 600", 15), ("trap '' TERM; : >again; while :; do sleep 0.1; done", 9)])
    func `Stopping ends all processes, by force if they ignore it, and none starts afterwards`(
        end: (script: String, signal: Int)
    ) async throws {
        let path = folder.file("").path(percentEncoded: false)
        // Only the second one has to be ready before it is told to end.
        let mark = end.signal == 9 ? "again" : "mark"
        let command = try command("cd '\(path)'; : >mark; \(end.script)")
        let task = Task { await command.run(file: nil, url: URL(filePath: "/a"), isLastWord: false) }
        #expect(await eventually { FileManager.default.fileExists(atPath: path + "/" + mark) })
        command.stop()
        #expect(await task.value.fault == "was ended by signal \(end.signal)")
        #expect(try await run(command).fault?.hasPrefix("cannot be started") == true)
    }

    @Test func `No more processes run at a time than may`() async throws {
        let path = folder.file("").path(percentEncoded: false)
        let command = try command(
            """
            cd '\(path)'
            mkdir one 2>/dev/null && mine=one || { mkdir two 2>/dev/null && mine=two; } || exit 1
            while [ ! -e go ]; do sleep 0.01; done
            rmdir $mine
            """, atMost: 2)
        let faults = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<6 { group.addTask { try await run(command).fault } }
            #expect(
                await eventually {
                    ["one", "two"].allSatisfy { FileManager.default.fileExists(atPath: path + "/" + $0) }
                })
            try folder.write("", to: "go")
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(faults == Array(repeating: nil, count: 6))
    }

    @Test(arguments: [
        ("", "requires a command"), (" \t", "requires a command"), ("no-such-program x", "no-such-program"),
    ])
    func `A command without a program is refused before anything starts`(text: String, complaint: String) {
        let error = #expect(throws: UsageError.self) { try UserCommand(text, of: "--refresh", atMost: 1) }
        #expect(error?.message.contains(complaint) == true && error?.code == .usage)
    }
}
