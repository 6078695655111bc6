/// What a run does where no file descriptor is free: it waits, with its slot in hand, and tries again.
extension RequestRun {
    /// Waits for a moment.
    ///
    /// - Parameters:
    ///   - wait: that of the tries before; `nil` after the first.
    ///   - error: what the attempt fails with when the wait is over.
    ///   - retry: the next try, to be given the wait.
    func awaitDescriptor(
        _ wait: DescriptorWait?, orFailWith error: NetworkError,
        then retry: @escaping @Sendable (DescriptorWait) -> Void
    ) {
        let wait = wait ?? environment.waitForDescriptor()
        guard wait.isWorthwhile else { return fail(AttemptFailure(error: error)) }
        pause { step in
            wait.tryLater { [self] in
                if takesAnswer(step) { retry(wait) }
            }
            return nil
        }
    }

    /// Lets an exchange go on that a file has held; returns whether that could be asked for. From any thread.
    func resumeExchange() -> Bool {
        guard let handle = cells.withLock({ $0.exchangeHandle }) else { return false }
        handle.resume()
        return true
    }
}
