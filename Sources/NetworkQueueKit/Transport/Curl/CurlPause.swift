#if canImport(Glibc)
    /// The reasons why a transfer is paused: its receiver, its pacer, or both.
    struct CurlPause {
        /// Whether the receiver wants no more until it resumes the exchange.
        var isPausedByReceiver = false
        /// The mark that the pacer must reach before more bytes move.
        var mark: Int64 = 0
        /// When to ask the pacer again; `nil` if the transfer does not wait for it.
        var resumeTime: Duration?
        /// The directions that libcurl was told to pause.
        var isReceivingPaused = false
        var isSendingPaused = false

        /// Whether libcurl was told to pause.
        var isPaused: Bool { isReceivingPaused || isSendingPaused }
        /// Whether the server has to wait for this side. libcurl is told only when it has more to deliver.
        var isHeld: Bool { isPausedByReceiver || isPaused }

        /// Notes that libcurl was told to continue, except with what the receiver has paused.
        mutating func resume() {
            resumeTime = nil
            isSendingPaused = false
            if !isPausedByReceiver { isReceivingPaused = false }
        }
    }

    /// The result of reading content for libcurl.
    enum BodyReading {
        case read(Int)
        case pause
        case fail
    }
#endif
