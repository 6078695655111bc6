/// The sums over one direction of all requests, from which the expected total follows in O(1).
///
/// Sums are 128 bits wide, so that no number of false sizes makes them overflow.
///
///     expected = known + unannounced + mean × untouched + max(mean × begun, bytes of begun)
///
/// `untouched` and `begun` are the transfers of unknown size without and with bytes. They are kept apart so that one
/// long transfer does not use up what is estimated for those that wait. What is said to be missing is `untouched` if
/// ``estimatesMissing`` is set, else it counts for nothing.
struct ByteTally {
    /// What one request adds to the sums.
    enum Share: Equatable {
        /// It failed or was cancelled.
        case nothing
        /// Its size is known; `isSample` says whether the mean for the unknown ones includes it.
        case known(size: Int64, transferred: Int64, isSample: Bool)
        /// Its size is unknown and is taken to be the mean.
        case unknown(transferred: Int64)
        /// It is said not to be there.
        case missing
        /// It may have no body at all: until a size is known, it counts the bytes that are there.
        case unannounced(transferred: Int64)
    }

    private var transferredSum: Int128 = 0
    private var plainSum: Int128 = 0
    private var knownCount = 0
    private var sampleSum: Int128 = 0
    private var sampleCount = 0
    private var untouchedCount = 0
    private var missingCount = 0
    private var begunCount = 0
    private var begunSum: Int128 = 0

    /// Whether what is said to be missing is taken to have the mean size like other transfers of unknown size.
    var estimatesMissing = false

    /// Adds a share, or takes one away again with `sign` -1.
    mutating func add(_ share: Share, times sign: Int) {
        let factor = Int128(sign)
        switch share {
        case .nothing:
            break
        case .known(let size, let transferred, let isSample):
            // A server that sends more than it said makes the size larger, never the fraction.
            let bytes = factor * Int128(max(size, transferred))
            transferredSum += factor * Int128(transferred)
            plainSum += bytes
            knownCount += sign
            if isSample {
                sampleSum += bytes
                sampleCount += sign
            }
        case .unknown(let transferred):
            transferredSum += factor * Int128(transferred)
            if transferred == 0 {
                untouchedCount += sign
            } else {
                begunCount += sign
                begunSum += factor * Int128(transferred)
            }
        case .missing:
            missingCount += sign
        case .unannounced(let transferred):
            transferredSum += factor * Int128(transferred)
            plainSum += factor * Int128(transferred)
        }
    }

    /// Takes one share away and adds another, which is often the same.
    mutating func replace(_ former: Share, with share: Share) {
        guard former != share else { return }
        add(former, times: -1)
        add(share, times: 1)
    }

    /// The bytes that are there.
    var transferred: Int64 { Int64(clamping: transferredSum) }

    /// How many transfers of unknown size have no bytes.
    private var unbegunCount: Int { untouchedCount + (estimatesMissing ? missingCount : 0) }

    /// Whether every transfer of unknown size can be estimated.
    var isMeasurable: Bool { sampleCount > 0 || unbegunCount + begunCount == 0 }

    /// The bytes there will be; `nil` when no size is known, or one can be neither told nor estimated.
    var expected: Int64? {
        guard knownCount > 0, isMeasurable else { return nil }
        return Int64(clamping: plainSum + estimate(unbegunCount) + max(estimate(begunCount), begunSum))
    }

    /// Whether ``expected`` contains an estimate.
    var isEstimated: Bool { sampleCount > 0 && unbegunCount + begunCount > 0 }

    private func estimate(_ count: Int) -> Int128 {
        count == 0 ? 0 : Int128(count) * sampleSum / Int128(sampleCount)
    }

    /// The direction as the user sees it.
    var snapshot: QueueProgress.Bytes {
        .init(transferred: transferred, expected: expected, isEstimated: isEstimated)
    }
}
