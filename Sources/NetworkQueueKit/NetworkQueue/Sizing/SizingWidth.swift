/// How many sizes are asked for at a time, where the user has not said so: more where one server answers well, fewer where one does not.
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
