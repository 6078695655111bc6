import Dashboard
import Foundation

/// The program: parses its arguments, runs the command and exits with its code.
@main
struct Netqueue {
    static func main() async {
        openMissingStreams()
        // If the reader of the output goes away, the work must still be completed and cleaned up.
        signal(SIGPIPE, SIG_IGN)
        FileLimit.raise()
        exit(await run().settle().rawValue)
    }

    /// The arguments after the program's name. `CommandLine.arguments` would replace bytes that are not UTF-8, and name
    /// other files. A URL with such bytes is accepted, because they can be percent-encoded.
    private static func arguments() throws(UsageError) -> [String] {
        var arguments: [String] = []
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let text = CommandLine.unsafeArgv[index] else { continue }
            let argument = String(bytes: UnsafeRawBufferPointer(start: text, count: strlen(text)))
            guard String(validatingCString: text) != nil || argument.starts(with: /https?:\/\//.ignoresCase()) else {
                throw UsageError("argument “\(argument)” is not UTF-8 (shown percent-encoded)")
            }
            arguments.append(argument)
        }
        return arguments
    }

    /// Opens `/dev/null` in place of closed standard streams. Otherwise the next files opened would get their
    /// descriptors, and messages would be written into them.
    private static func openMissingStreams() {
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
            // The new descriptor is the lowest free one, which is this one.
            _ = open("/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY)
        }
    }

    private static func run() async -> Ending {
        do throws(UsageError) {
            switch try Invocation(arguments: arguments()) {
            case .help(let command): return Ending(code: .success, output: HelpText.text(command))
            case .version: return Ending(code: .success, output: "netqueue \(HelpText.version)\n")
            case .completions(let shell): return Ending(code: .success, output: shell.completions)
            case .man: return Ending(code: .success, output: ManPage.text)
            case .run(let options):
                switch options.command {
                case .upload: return try await UploadCommand(options: options).run()
                case .sizes: return try await SizesCommand(options: options).run()
                case .status: return try await StatusCommand(options: options).run()
                case .clean: return CleanCommand(options: options).run()
                case .demo: return await DemoCommand(options: options).run()
                case _ where options.isDryRun: return try await DryRunCommand(options: options).run()
                case _ where options.existing == .verify: return try await VerifyCommand(options: options).run()
                default: return try await DownloadCommand(options: options).run()
                }
            }
        } catch {
            let advice = error.code == .usage ? "Try “netqueue --help”.\n" : ""
            // It may quote file names and lists of others.
            let message = error.message.withoutControls().shortened(to: 2000)
            StandardStream.error.write("netqueue: \(message)\n\(advice)".fitting(.current))
            return Ending(code: error.code)
        }
    }
}
