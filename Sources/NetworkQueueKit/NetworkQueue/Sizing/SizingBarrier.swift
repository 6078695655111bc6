/// Decides how long the transfers wait for the sizes.
///
/// They wait until everything is answered, but not for a few stragglers: these are left behind once they have been
/// silent for so long that an answer like the others would have come. And not at all where it is certain that the time
/// will be up before: when the rate of two rounds of answers and a second says so.
struct SizingBarrier {
    /// What a server may be late without being taken for a straggler, on top of ``slownessFactor`` × the slowest
    /// answer.
    static let patience = Duration.seconds(1)
    static let slownessFactor = 4
    /// How long they wait for a list that is still being made to bring more to ask for.
    static let readingPatience = Duration.milliseconds(100)

    /// How many are to be answered.
    var total = 0
    /// When the transfers began to wait, and how long they do at most.
    private var startTime = Duration.zero
    private var timeLimit = Duration.zero
    private var sentTimes: [RequestID: Duration] = [:]
    private var slowestAnswer = Duration.zero
    private var firstAnswerTime: Duration?
    private var lastAnswerTime: Duration?
    private var answerCount = 0
    private var lastReadTime: Duration?
    /// Whether it is certain that not all will be answered in time.
    private var isHopeless = false

    mutating func begin(now: Duration, timeLimit: Duration) {
        startTime = now
        self.timeLimit = timeLimit
    }

    /// Notes that an operation was added whose size is to be asked for.
    mutating func noteRead(now: Duration) { lastReadTime = now }

    mutating func noteSent(_ probe: RequestID, now: Duration) {
        sentTimes[probe] = now
    }

    /// - Parameter isAnswer: Whether a server has answered; else the probe has failed, or was called off.
    mutating func noteEnd(of probe: RequestID, isAnswer: Bool, now: Duration) {
        guard let sent = sentTimes.removeValue(forKey: probe) else { return }
        firstAnswerTime = firstAnswerTime ?? now
        lastAnswerTime = now
        answerCount += 1
        if isAnswer { slowestAnswer = max(slowestAnswer, now - sent) }
    }

    /// Looks after an answer whether the wait can be of use.
    ///
    /// - Parameter width: how many are asked at a time; 0 means no limit.
    mutating func look(now: Duration, width: Int) {
        guard width > 0, answerCount >= 2 * width, let firstAnswerTime, now - firstAnswerTime >= .seconds(1)
        else { return }
        // With those that are under way: where all are answered at the same pace, theirs are about to come.
        let secondsPerAnswer = (now - startTime).seconds / Double(answerCount + sentTimes.count)
        isHopeless = secondsPerAnswer * Double(total) > timeLimit.seconds
    }

    /// The probes that have been without an answer for as long as the transfers have waited, give or take a tenth.
    func silentProbes(now: Duration) -> [RequestID] {
        let wait = now - startTime
        return wait > .zero ? sentTimes.filter { (now - $0.value) * 10 >= wait * 9 }.map(\.key) : []
    }

    /// When the transfers may start, if nothing is answered before.
    ///
    /// - Parameters:
    ///   - unansweredCount: how many are not answered; those that have not been sent are among them.
    ///   - isReading: whether more to ask for may come.
    func deadline(unansweredCount: Int, isReading: Bool = false) -> Duration {
        let limit = startTime + timeLimit
        let latest = max(lastAnswerTime ?? startTime, lastReadTime ?? startTime)
        if isHopeless || (unansweredCount == 0 && !isReading) { return latest }
        if unansweredCount == 0 { return min(limit, latest + Self.readingPatience) }
        guard let lastAnswerTime, unansweredCount <= max(1, total / 10) else { return limit }
        // Where all that wait have yet to be sent, something else than a server keeps them.
        let silentSince = sentTimes.values.max() ?? lastAnswerTime
        return min(limit, silentSince + Self.patience + slowestAnswer * Self.slownessFactor)
    }
}

/// How many sizes are asked for at a time, where the user has not said so: more where one server answers well, fewer
/// where one does not.
///
/// | What happens | Width |
/// |---|---|
/// | to begin with | 16 |
/// | 16 answers, all of them from one origin and without trouble | 32 |
/// | a connection is refused or lost, or 429 or 503 is answered | half, for good |
struct SizingWidth: Sendable {
    static let first = 16
    private static let grown = 32

    private(set) var value = first
    private var origin: Origin?
    private var hasOneOrigin = true
    private var answerCount = 0
    private var hasTrouble = false

    /// Notes an origin that is to be asked.
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
