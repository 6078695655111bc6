import NetworkQueueKit
import TestSupport
import Testing

@testable import netqueue

struct ArgumentScannerTests {
    /// The options by their long names, and then the operands.
    private func words(of arguments: [String]) throws -> [String] {
        let scanner = try ArgumentScanner(arguments)
        return scanner.options.map { "--\($0.option.long)=\($0.value)" } + scanner.operands
    }

    @Test(arguments: [
        ["-j", "4"], ["-j4"], ["--jobs", "4"], ["--jobs=4"],
    ])
    func `An option takes its value in every usual form`(arguments: [String]) throws {
        #expect(try words(of: arguments) == ["--jobs=4"])
    }

    @Test(arguments: OddName.joining)
    func `The value of an option, and each half of a value, may begin with any character`(text: String) throws {
        for argument in ["-o\(text)", "--output=\(text)"] {
            let option = try #require(try ArgumentScanner([argument]).options.first)
            #expect(option.option.long == "output" && option.value.equals(bytesOf: text))
        }
        let (file, field) = (Options.Field("a=@\(text)"), Options.Field("a=\(text)"))
        for half in [Login("u:\(text)").password, file?.file, field?.text] {
            #expect(half.map { ByteText($0) } == ByteText(text))
        }
    }

    @Test func `Short options can be joined, the last one with a value`() throws {
        let words = try words(of: ["-qho", "out", "-qj3"])
        #expect(
            words == [
                "--quiet=", "--help=", "--output=out",
                "--quiet=", "--jobs=3",
            ])
    }

    @Test func `Two hyphens end the options, and a single hyphen is an operand`() throws {
        let words = try words(of: ["a", "-", "-i-", "--", "-q", "--"])
        #expect(
            words == [
                "--input=-", "a", "-", "-q", "--",
            ])
    }

    @Test func `A value can contain an equals sign, begin with a hyphen or be empty`() throws {
        let words = try words(of: ["--output=a=b", "-o", "-x", "--output="])
        #expect(
            words == [
                "--output=a=b", "--output=-x", "--output=",
            ])
    }

    @Test func `Options of a download can stand anywhere among the URLs`() throws {
        let invocation = try Invocation(arguments: [
            "http://a/", "-j8", "-d", "out", "http://b/", "-i", "x", "-i", "y", "--no-sizing", "--overwrite", "-q",
            "--progress=never", "--retries", "5", "--retry-delay=0.5", "-H", "A: b", "--header=C:d", "-uname:word",
            "--limit-rate=1.5M", "--shard", "2/3", "--strip", "1", "--per-host=2", "--lifo", "--fail-fast",
        ])
        var options = Options()
        options.operands = ["http://a/", "http://b/"]
        options.lists = ["x", "y"]
        options.folder = "out"
        options.strip = 1
        options.jobs = 8
        options.perHost = 2
        options.usesSizing = false
        options.beginsWithLast = true
        options.failsFast = true
        options.existing = .overwrite
        options.headers = ["A: b", "C: d"].compactMap { HeaderLine($0) }
        options.login = Login(user: "name", password: "word")
        options.bytesPerSecond = 3 << 19
        options.shard = Options.Shard(number: 2, count: 3)
        options.retries = 5
        options.retryDelay = 0.5
        options.mode = .never
        options.isQuiet = true
        #expect(invocation == .run(options))
    }

    @Test(arguments: [(["--split"], 8), (["--split=3"], 3), (["--split", "--per-host=2"], 8), ([], nil)])
    func `The option --split may have a number behind an equals sign`(arguments: [String], count: Int?) throws {
        guard case .run(let options) = try Invocation(arguments: arguments + ["http://a/"]) else {
            Issue.record("It is a download.")
            return
        }
        #expect(options.maxParts == count && options.operands == ["http://a/"])
        #expect(options.configuration.splitting == count.map { NetworkRequest.Splitting(maxParts: $0) })
    }

    @Test(arguments: [("60/m", 60, 60), ("5/s", 5, 1), ("2500/5m", 2500, 300), ("1/2h", 1, 7200)])
    func `The options --rate and --min-rate limit the queue`(text: String, count: Int, seconds: Int) throws {
        guard case .run(let options) = try Invocation(arguments: ["--rate", text, "--min-rate=2K", "http://a/"]) else {
            Issue.record("It is a download.")
            return
        }
        #expect(options.configuration.requestRate == RequestRate(count, per: .seconds(seconds)))
        #expect(options.configuration.minBytesPerSecond == 2048)
    }

    @Test func `Connection options configure the transport`() throws {
        func settings(_ arguments: String...) throws -> TransportConfiguration? {
            guard case .run(let options) = try Invocation(arguments: ["http://a/"] + arguments) else { return nil }
            return options.transportConfiguration
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
    func `A rate is read in bytes per second, with binary suffixes`(text: String, rate: Int) {
        #expect(OptionValue.rate(text) == rate)
    }

    @Test(arguments: ["", "0", "-1", "K", "1T", "nan", "inf", "1e300", "2 M", "0.0001", "5ß"])
    func `An invalid rate is rejected`(text: String) {
        #expect(OptionValue.rate(text) == nil)
    }

    @Test func `Options of the demo can stand before and after its name`() throws {
        var options = Options(.demo)
        options.files = 20
        options.seconds = 0.5
        #expect(try Invocation(arguments: ["--files", "20", "demo", "--seconds=0.5"]) == .run(options))
    }
}
