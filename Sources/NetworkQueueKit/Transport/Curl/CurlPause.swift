#if canImport(Glibc)
    /// Why a transfer stands still: because its receiver has asked for it, because the pace wants it, or both.
    struct CurlPause {
        /// The receiver wants nothing more until it says so.
        var isPausedByReceiver = false
        /// What the pacer has to have come to before anything more is moved.
        var mark: Int64 = 0
        /// When to ask the pacer again; `nil` when that is not waited for.
        var resumeTime: Duration?
        /// What libcurl has been told to leave alone.
        var isReceivingPaused = false
        var isSendingPaused = false

        var isPaused: Bool { isReceivingPaused || isSendingPaused }

        /// Notes that libcurl is told to go on, but not with what the receiver has paused.
        mutating func resume() {
            resumeTime = nil
            isSendingPaused = false
            if !isPausedByReceiver { isReceivingPaused = false }
        }
    }

    /// What reading content for libcurl has come to.
    enum BodyReading {
        case read(Int)
        case pause
        case fail
    }
#endif
