import Foundation

/// The program: reads its arguments, does what they say, and leaves with an exit code.
@main
struct Netqueue {
    static func main() async {
        // The reader of our output may go away; the work is still to be done, and to be cleaned up after.
        signal(SIGPIPE, SIG_IGN)
        FileLimit.raise()
        let ending = await run(Array(CommandLine.arguments.dropFirst()))
        exit(ending.settle().rawValue)
    }

    private static func run(_ arguments: [String]) async -> Ending {
        do throws(UsageError) {
            switch try Invocation(arguments: arguments) {
            case .help(let command): return Ending(code: .success, output: HelpText.text(command))
            case .version: return Ending(code: .success, output: "netqueue \(HelpText.version)\n")
            case .download(let options): return try await DownloadCommand(options: options).run()
            case .upload(let options): return try await UploadCommand(options: options).run()
            case .sizes(let options): return try await SizesCommand(options: options).run()
            case .completions(let shell): return Ending(code: .success, output: shell.completions)
            case .man: return Ending(code: .success, output: ManPage.text)
            case .demo(let options): return await DemoCommand(options: options).run()
            }
        } catch {
            StandardStream.error.write("netqueue: \(error.message)\nTry “netqueue --help”.\n".fitting(.current))
            return Ending(code: .usage)
        }
    }
}
