/// The sums over one direction of all requests. They give the expected total in O(1).
///
/// Sums are 128 bits wide, so that no number of false sizes can overflow them.
///
/// ```text
/// expected = known + unannounced + mean × untouched + max(mean × begun, bytes of begun)
/// ```
///
/// `untouched` and `begun` are the transfers of unknown size without and with bytes. They are kept apart so that one
/// long transfer does not use up the estimate for those that wait. Missing transfers are `untouched` if
/// ``estimatesMissing`` is set; otherwise they do not count.
struct ByteTally {
    /// The contribution of one request to the sums.
    enum Share: Equatable {
        /// The request failed or was canceled.
        case nothing
        /// The size is known; `isSample` says whether the mean for unknown sizes includes it.
        case known(size: Int64, transferred: Int64, isSample: Bool)
        /// The size is unknown and taken to be the mean.
        case unknown(transferred: Int64)
        /// Sizing found that the content does not exist.
        case missing
        /// The content may have no body. Until its size is known, only the transferred bytes count.
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

    /// Whether missing transfers are taken to have the mean size, like others of unknown size.
    var estimatesMissing = false

    /// Adds a share, or subtracts it with `sign` -1.
    mutating func add(_ share: Share, times sign: Int) {
        let factor = Int128(sign)
        switch share {
        case .nothing:
            break
        case .known(let size, let transferred, let isSample):
            // If a server sends more than it announced, the size grows, never the fraction.
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

    /// Replaces a share with another one, which is often equal.
    mutating func replace(_ former: Share, with share: Share) {
        guard former != share else { return }
        add(former, times: -1)
        add(share, times: 1)
    }

    /// The number of bytes transferred.
    var transferred: Int64 { Int64(clamping: transferredSum) }

    /// The number of transfers of unknown size that have no bytes.
    private var unbegunCount: Int { untouchedCount + (estimatesMissing ? missingCount : 0) }

    /// Whether every transfer of unknown size can be estimated.
    var isMeasurable: Bool { sampleCount > 0 || unbegunCount + begunCount == 0 }

    /// The expected total; `nil` if no size is known, or if a size is neither known nor estimable.
    var expected: Int64? {
        guard knownCount > 0, isMeasurable else { return nil }
        return Int64(clamping: plainSum + estimate(unbegunCount) + max(estimate(begunCount), begunSum))
    }

    /// Whether ``expected`` includes an estimate.
    var isEstimated: Bool { sampleCount > 0 && unbegunCount + begunCount > 0 }

    private func estimate(_ count: Int) -> Int128 {
        count == 0 ? 0 : Int128(count) * sampleSum / Int128(sampleCount)
    }

    /// The direction's values for the user.
    var snapshot: QueueProgress.Bytes {
        .init(transferred: transferred, expected: expected, isEstimated: isEstimated)
    }
}
