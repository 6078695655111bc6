/// Decides how long transfers wait for sizes.
///
/// They wait until all probes are answered, except for a few stragglers. These are left behind once they have been
/// silent for so long that an answer like the others would have arrived. The wait ends at once if the rate of the
/// answers, after two rounds and at least a second, shows that the time will not suffice.
struct SizingBarrier {
    /// How late a probe may be before it counts as a straggler, on top of ``slownessFactor`` × the slowest answer.
    static let patience = Duration.seconds(1)
    static let slownessFactor = 4
    /// How long transfers wait for a list that is still being produced to bring more to size.
    static let readingPatience = Duration.milliseconds(100)

    /// The number of groups to be answered.
    var total = 0
    /// When the transfers began to wait, and the longest time they may wait.
    private var startTime = Duration.zero
    private var timeLimit = Duration.zero
    private var sentTimes: [RequestID: Duration] = [:]
    private var slowestAnswer = Duration.zero
    private var firstAnswerTime: Duration?
    private var lastAnswerTime: Duration?
    private var answerCount = 0
    private var lastReadTime: Duration?
    /// Whether it is certain that not all groups will be answered in time.
    private var isHopeless = false

    mutating func begin(now: Duration, timeLimit: Duration) {
        startTime = now
        self.timeLimit = timeLimit.bounded
    }

    /// Notes that an operation was added whose size is to be requested.
    mutating func noteRead(now: Duration) { lastReadTime = now }

    mutating func noteSent(_ probe: RequestID, now: Duration) {
        sentTimes[probe] = now
    }

    /// - Parameter isAnswer: whether a server answered; otherwise the probe failed or was canceled.
    mutating func noteEnd(of probe: RequestID, isAnswer: Bool, now: Duration) {
        guard let sent = sentTimes.removeValue(forKey: probe) else { return }
        firstAnswerTime = firstAnswerTime ?? now
        lastAnswerTime = now
        answerCount += 1
        if isAnswer { slowestAnswer = max(slowestAnswer, now - sent) }
    }

    /// Checks after an answer whether it is still useful to wait.
    ///
    /// - Parameter width: the maximum number of concurrent probes; 0 means no limit.
    mutating func look(now: Duration, width: Int) {
        guard width > 0, answerCount / 2 >= width, let firstAnswerTime, now - firstAnswerTime >= .seconds(1)
        else { return }
        // Includes the probes under way: at a steady pace, their answers are about to arrive.
        let secondsPerAnswer = (now - startTime).seconds / Double(answerCount + sentTimes.count)
        isHopeless = secondsPerAnswer * Double(total) > timeLimit.seconds
    }

    /// The probes that have been unanswered for nine tenths of the time that the transfers have waited, or longer.
    func silentProbes(now: Duration) -> [RequestID] {
        let wait = now - startTime
        return wait > .zero ? sentTimes.filter { (now - $0.value) * 10 >= wait * 9 }.map(\.key) : []
    }

    /// When the transfers may start if there are no more answers.
    ///
    /// - Parameters:
    ///   - unansweredCount: the number of unanswered groups, including those whose probe has not been sent.
    ///   - isReading: whether more groups may be added.
    func deadline(unansweredCount: Int, isReading: Bool = false) -> Duration {
        let limit = startTime + timeLimit
        let latest = max(lastAnswerTime ?? startTime, lastReadTime ?? startTime)
        if isHopeless || (unansweredCount == 0 && !isReading) { return latest }
        if unansweredCount == 0 { return min(limit, latest + Self.readingPatience) }
        guard let lastAnswerTime, unansweredCount <= max(1, total / 10) else { return limit }
        // If none of the unanswered probes has been sent, something other than a server holds them up.
        let silentSince = sentTimes.values.max() ?? lastAnswerTime
        return min(limit, silentSince + Self.patience + slowestAnswer * Self.slownessFactor)
    }
}

/// The number of sizes to request at a time, unless the user has set one: more if one server answers well, fewer if a
/// server has trouble.
///
/// | What happens | Width |
/// |---|---|
/// | to begin with | 16 |
/// | 16 answers, all of them from one origin and without trouble | 32 |
/// | a connection is refused or lost, or 503 is answered | half, for good |
struct SizingWidth: Sendable {
    static let first = 16
    private static let grown = 32

    private(set) var value = first
    private var origin: Origin?
    private(set) var hasOneOrigin = true
    private var answerCount = 0
    private var hasTrouble = false

    /// Notes an origin that will be asked.
    mutating func noteOrigin(_ origin: Origin?) {
        self.origin = self.origin ?? origin
        if origin != self.origin { hasOneOrigin = false }
    }

    mutating func note(_ answer: SizeAnswer) {
        if answer.isTrouble {
            hasTrouble = true
            value = max(value / 2, 1)
        }
        guard answer.isAnswer else { return }
        answerCount += 1
        if hasOneOrigin, !hasTrouble, answerCount == Self.first { value = Self.grown }
    }
}
