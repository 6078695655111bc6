import NetworkQueueKit
import Testing

@testable import netqueue

@Suite("Arguments")
struct ArgumentScannerTests {
    @Test(arguments: [
        ["-j", "4"], ["-j4"], ["--jobs", "4"], ["--jobs=4"],
    ])
    func `give an option its value in every usual form`(arguments: [String]) throws {
        #expect(try ArgumentScanner.tokens(of: arguments) == [.option(.jobs, value: "4")])
    }

    @Test func `may join letters, the last of them with a value`() throws {
        let tokens = try ArgumentScanner.tokens(of: ["-qho", "out", "-qj3"])
        #expect(
            tokens == [
                .option(.quiet, value: ""), .option(.help, value: ""), .option(.output, value: "out"),
                .option(.quiet, value: ""), .option(.jobs, value: "3"),
            ])
    }

    @Test func `are operands after two hyphens, and a single hyphen is always one`() throws {
        let tokens = try ArgumentScanner.tokens(of: ["a", "-", "-i-", "--", "-q", "--"])
        #expect(
            tokens == [
                .operand("a"), .operand("-"), .option(.input, value: "-"), .operand("-q"), .operand("--"),
            ])
    }

    @Test func `may have values with equals signs, hyphens and nothing`() throws {
        let tokens = try ArgumentScanner.tokens(of: ["--output=a=b", "-o", "-x", "--output="])
        #expect(
            tokens == [
                .option(.output, value: "a=b"), .option(.output, value: "-x"), .option(.output, value: ""),
            ])
    }

    @Test func `make a download, wherever the options stand`() throws {
        let invocation = try Invocation(arguments: [
            "http://a/", "-j8", "-o", "out", "http://b/", "-i", "x", "-i", "y", "--no-sizing", "--overwrite", "-q",
            "--progress=never", "--retries", "5", "--retry-delay=0.5",
        ])
        var options = DownloadOptions()
        options.urls = ["http://a/", "http://b/"]
        options.lists = ["x", "y"]
        options.folder = "out"
        options.jobs = 8
        options.usesSizing = false
        options.overwrites = true
        options.retries = 5
        options.retryDelay = 0.5
        options.display = DisplayOptions(mode: .never, isQuiet: true)
        #expect(invocation == .download(options))
    }

    @Test func `that speak of retries make a policy`() throws {
        var options = DownloadOptions()
        #expect(options.retryPolicy.maximumRetries == 0)
        options.retries = 7
        #expect(options.retryPolicy.backoff == .exponential())
        options.retryDelay = 2.5
        #expect(options.retryPolicy.maximumRetries == 7 && options.retryPolicy.backoff == .constant(.seconds(2.5)))
        #expect(options.retryPolicy.earlyRetryTriggers.count == 2)
    }

    @Test func `make a demo, wherever the options stand`() throws {
        var options = DemoOptions()
        options.files = 20
        options.seconds = 0.5
        #expect(try Invocation(arguments: ["--files", "20", "demo", "--seconds=0.5"]) == .demo(options))
    }
}
