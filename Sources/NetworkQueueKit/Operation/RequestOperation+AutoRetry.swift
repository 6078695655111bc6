import Foundation

extension RequestOperation {
    /// Whether the operation is repeated after a failure in ``autoRetryErrorCodes``, without limit, until it succeeds or is
    /// cancelled. Default `false`. A shorthand that takes the place of every ``RetryPolicy``; set it before the start.
    public var autoRetry: Bool {
        get { state.withLock { $0.autoRetry?.isOn ?? false } }
        set { withAutoRetry { $0.isOn = newValue } }
    }

    /// The failures that `autoRetry` repeats. Default: ``RetryPolicy/transientErrorCodes``.
    public var autoRetryErrorCodes: Set<URLError.Code> {
        get { state.withLock { $0.autoRetry?.errorCodes ?? AutoRetry().errorCodes } }
        set { withAutoRetry { $0.errorCodes = newValue } }
    }

    /// How long `autoRetry` waits before each attempt. Default 5 s.
    public var autoRetryDelay: Duration {
        get { state.withLock { $0.autoRetry?.delay ?? AutoRetry().delay } }
        set { withAutoRetry { $0.delay = newValue } }
    }

    func withAutoRetry(_ body: (inout AutoRetry) -> Void) {
        state.withLock { state in
            var autoRetry = state.autoRetry ?? AutoRetry()
            body(&autoRetry)
            state.autoRetry = autoRetry
        }
    }

    /// The policy that `autoRetry` stands for; `nil` when it is not set.
    var autoRetryPolicy: RetryPolicy? {
        guard let autoRetry = state.withLock({ $0.autoRetry }), autoRetry.isOn else { return nil }
        return RetryPolicy(
            maxRetries: .max, backoff: .constant(autoRetry.delay),
            methods: [request.method],
            errorCodes: autoRetry.errorCodes, statusCodes: [])
    }
}
