import NetworkQueueKit
import TestSupport
import Testing

@testable import netqueue

struct ArgumentScannerTests {
    @Test(arguments: [
        ["-j", "4"], ["-j4"], ["--jobs", "4"], ["--jobs=4"],
    ])
    func `An option takes its value in every usual form`(arguments: [String]) throws {
        #expect(try ArgumentScanner.tokens(of: arguments) == [.option(.jobs, value: "4")])
    }

    @Test(arguments: OddName.joining)
    func `The value of an option, and each half of a value, may begin with any character`(text: String) throws {
        for argument in ["-o\(text)", "--output=\(text)"] {
            let tokens = try ArgumentScanner.tokens(of: [argument])
            guard case .option(.output, let value)? = tokens.first else { Issue.record("\(tokens)"); continue }
            #expect(value.equals(bytesOf: text))
        }
        let (file, field) = (UploadOptions.Field("a=@\(text)"), UploadOptions.Field("a=\(text)"))
        for half in [Login("u:\(text)").password, file?.file, field?.text] {
            #expect(half.map { ByteText($0) } == ByteText(text))
        }
    }

    @Test func `Short options can be joined, the last one with a value`() throws {
        let tokens = try ArgumentScanner.tokens(of: ["-qho", "out", "-qj3"])
        #expect(
            tokens == [
                .option(.quiet, value: ""), .option(.help, value: ""), .option(.output, value: "out"),
                .option(.quiet, value: ""), .option(.jobs, value: "3"),
            ])
    }

    @Test func `Two hyphens end the options, and a single hyphen is an operand`() throws {
        let tokens = try ArgumentScanner.tokens(of: ["a", "-", "-i-", "--", "-q", "--"])
        #expect(
            tokens == [
                .operand("a"), .operand("-"), .option(.input, value: "-"), .operand("-q"), .operand("--"),
            ])
    }

    @Test func `A value can contain an equals sign, begin with a hyphen or be empty`() throws {
        let tokens = try ArgumentScanner.tokens(of: ["--output=a=b", "-o", "-x", "--output="])
        #expect(
            tokens == [
                .option(.output, value: "a=b"), .option(.output, value: "-x"), .option(.output, value: ""),
            ])
    }

    @Test func `Options of a download can stand anywhere among the URLs`() throws {
        let invocation = try Invocation(arguments: [
            "http://a/", "-j8", "-d", "out", "http://b/", "-i", "x", "-i", "y", "--no-sizing", "--overwrite", "-q",
            "--progress=never", "--retries", "5", "--retry-delay=0.5", "-H", "A: b", "--header=C:d", "-uname:word",
            "--limit-rate=1.5M", "--shard", "2/3", "--strip", "1", "--per-host=2", "--lifo", "--fail-fast",
        ])
        var options = DownloadOptions()
        options.source.urls = ["http://a/", "http://b/"]
        options.source.lists = ["x", "y"]
        options.folder = "out"
        options.strip = 1
        options.transfer.jobs = 8
        options.transfer.perHost = 2
        options.transfer.usesSizing = false
        options.transfer.beginsWithLast = true
        options.transfer.failsFast = true
        options.existing = .overwrite
        options.transfer.headers = ["A: b", "C: d"].compactMap { HeaderLine($0) }
        options.transfer.login = Login(user: "name", password: "word")
        options.transfer.bytesPerSecond = 3 << 19
        options.source.shard = SourceOptions.Shard(number: 2, count: 3)
        options.transfer.retries = 5
        options.transfer.retryDelay = 0.5
        options.transfer.display = DisplayOptions(mode: .never, isQuiet: true)
        #expect(invocation == .download(options))
    }

    @Test(arguments: [(["--split"], 8), (["--split=3"], 3), (["--split", "--per-host=2"], 8), ([], nil)])
    func `The option --split may have a number behind an equals sign`(arguments: [String], count: Int?) throws {
        guard case .download(let options) = try Invocation(arguments: arguments + ["http://a/"]) else {
            Issue.record("It is a download.")
            return
        }
        #expect(options.transfer.maxParts == count && options.source.urls == ["http://a/"])
        #expect(options.transfer.configuration.splitting == count.map { NetworkRequest.Splitting(maxParts: $0) })
    }

    @Test func `Connection options configure the transport`() throws {
        func settings(_ arguments: String...) throws -> TransportConfiguration? {
            guard case .download(let options) = try Invocation(arguments: ["http://a/"] + arguments) else { return nil }
            return options.transfer.connection.configuration
        }
        let usual = try #require(try settings())
        #expect(usual.connectTimeout == .seconds(15) && usual.proxy == nil)
        #expect(usual.userAgent == "netqueue/\(HelpText.version)")
        let told = try #require(try settings("--connect-timeout=2.5", "--proxy", "proxy.test:8080", "-A", "me"))
        #expect(told.connectTimeout == .seconds(2.5) && told.userAgent == "me")
        #expect(told.proxy?.absoluteString == "http://proxy.test:8080")
        #expect(try settings("-H", "user-agent:")?.userAgent == "")
    }

    @Test(arguments: [
        ("retrys", "retries"), ("ouptut", "output"), ("job", "jobs"), ("no-sizin", "no-sizing"),
        ("fail-fats", "fail-fast"),
    ])
    func `A misspelled option gets the nearest one as a suggestion`(name: String, option: String) {
        #expect(throws: UsageError("unknown option “--\(name)”; did you mean “--\(option)”?")) {
            try Option.named(name)
        }
    }

    @Test(arguments: ["zzz", "x", "", "foo"])
    func `An option that resembles no other gets no suggestion`(name: String) {
        #expect(throws: UsageError("unknown option “--\(name)”")) { try Option.named(name) }
    }

    @Test(arguments: [
        ("100", 100), ("1k", 1024), ("500K", 512_000), ("2M", 2 << 20), ("1.5G", 3 << 29), ("0.5K", 512),
    ])
    func `A rate is read in bytes per second, with binary suffixes`(text: String, rate: Int) throws {
        #expect(try OptionValue.rate(text, of: .limitRate) == rate)
    }

    @Test(arguments: ["", "0", "-1", "K", "1T", "nan", "inf", "1e300", "2 M", "0.0001"])
    func `An invalid rate is rejected`(text: String) {
        #expect(throws: UsageError.self) { try OptionValue.rate(text, of: .limitRate) }
    }

    @Test func `Options of the demo can stand before and after its name`() throws {
        var options = DemoOptions()
        options.files = 20
        options.seconds = 0.5
        #expect(try Invocation(arguments: ["--files", "20", "demo", "--seconds=0.5"]) == .demo(options))
    }
}
