import NetworkQueueKit

/// The options that apply to all transfers, whether downloads, uploads or sizes.
struct TransferOptions: Hashable, Sendable {
    var headers: [HeaderLine] = []
    var login: Login?
    var usesNetrc = false
    /// The path of a file with initial cookies.
    var cookies: String?
    var keepsCookies = true
    var acceptsCompressed = false
    var connection = ConnectionOptions()
    var jobs = 4
    /// `nil` means no limit.
    var perHost: Int?
    /// The maximum number of parts of one file to fetch at a time; `nil` means no splitting.
    var maxParts: Int?
    /// The maximum number of size requests at a time; `nil` means the library's default.
    var checkers: Int?
    var usesSizing = true
    var beginsWithLast = false
    var failsFast = false
    var bytesPerSecond: Int?
    /// The longest silence in seconds; `nil` means the library's default.
    var timeout: Double?
    /// The maximum number of retries after temporary failures.
    var retries = 3
    /// The seconds before each retry; `nil` means a random, growing delay.
    var retryDelay: Double?
    var durability = Durability.atEnd
    var display = DisplayOptions()

    /// Applies an option.
    mutating func take(_ option: Option, _ value: String) throws(UsageError) {
        switch option {
        case .jobs: jobs = try OptionValue.number(value, of: option, in: 1...1000)
        case .perHost: perHost = try OptionValue.number(value, of: option, in: 1...1000)
        case .split: maxParts = value.isEmpty ? 8 : try OptionValue.number(value, of: option, in: 1...1000)
        case .checkers: checkers = try OptionValue.number(value, of: option, in: 1...1000)
        case .sizing: usesSizing = false
        case .lifo: beginsWithLast = true
        case .failFast: failsFast = true
        case .limitRate: bytesPerSecond = try OptionValue.rate(value, of: option)
        case .timeout: timeout = try OptionValue.seconds(value, of: option, in: 0.001...86_400)
        case .retries: retries = try OptionValue.number(value, of: option, in: 0...1000)
        case .retryDelay: retryDelay = try OptionValue.seconds(value, of: option)
        case .fsync: durability = try OptionValue.durability(value, of: option)
        case .header, .user, .netrc, .cookies, .noCookies, .compressed: try takeRequest(option, value)
        case .progress, .quiet, .verbose, .json, .progressInterval: try display.take(option, value)
        default: try connection.take(option, value)
        }
    }

    private mutating func takeRequest(_ option: Option, _ value: String) throws(UsageError) {
        switch option {
        case .header:
            // Do not quote the value, which may be a secret.
            guard let header = HeaderLine(value) else {
                throw UsageError("--header must be a field such as “Name: value”")
            }
            headers.append(header)
            if header.value == nil, header.name.lowercased() == "user-agent" { connection.userAgent = "" }
        case .user: login = Login(try OptionValue.text(value, of: option))
        case .netrc: usesNetrc = true
        case .cookies: cookies = try OptionValue.text(value, of: option)
        case .noCookies: keepsCookies = false
        default: acceptsCompressed = true
        }
    }

    /// Rejects options that contradict each other.
    func check() throws(UsageError) {
        if connection.key != nil, connection.certificate == nil {
            throw UsageError("--key requires --cert")
        }
        if cookies != nil, !keepsCookies { throw UsageError("--cookies and --no-cookies cannot be combined") }
        if display.isQuiet, display.isVerbose { throw UsageError("--quiet and --verbose cannot be combined") }
    }
}
