extension RequestOperation {
    struct State {
        var home = Home.none(nil)
        var status = Status.waiting
        var isCancelled = false
        /// Whether there have ever been any: asking Foundation costs more than adding an operation without.
        var hasDependencies = false
        var run: RequestRun?
        var listener: (any OperationListener)?
        var responseHead: ResponseHead?
        /// There from the end on.
        var outcome: RequestResult?
        var attempts = 0
        var handlers: Handlers?
        @Boxed var autoRetry: AutoRetry?

        var hasAutoRetry: Bool { !_autoRetry.isEmpty }
    }

    enum Home {
        /// Nowhere yet; should it be started on its own, then with this.
        case none(StandaloneEnvironment?)
        case alone
        case queue(OperationSchedulerReference)
    }

    /// Most operations have none of these, so they share one allocation that most never make.
    final class Handlers {
        var completion: CompletionHandler?
        var upload: ProgressHandler?
        var download: ProgressHandler?
        var uploaded = TransferCount()
        var downloaded = TransferCount()
        var isReportPending = false
    }

    enum Direction {
        case upload, download
    }

    /// The shorthand for a policy, kept only where it is used.
    struct AutoRetry {
        var isOn = false
        var errorCodes = RetryPolicy.transientErrorCodes
        var delay = Duration.seconds(5)
    }

    struct TransferCount {
        var bytes: Int64 = 0
        var total: Int64?
        var hasChanged = false
    }
}
