import Foundation

/// Holds requests to a host whose server asks for a pause.
extension RequestRun {
    /// Notes that the server refused the attempt. Returns the pause for which it asks, if any.
    func requestedPause(after failure: AttemptFailure) -> RequestedPause? {
        guard let head = failure.result.head, var pause = RequestedPause(head) else { return nil }
        if let delay = pause.delay {
            // If a quota is used up, the head has already held the host.
            if [429, 503].contains(head.statusCode), !pause.isQuotaUsedUp { hold(head, for: delay) }
        } else if holdsHosts, let host = head.url.host()?.lowercased() {
            let policy = retryPolicy
            pause.hold = environment.refusals.noteRefusal(
                by: host, at: environment.now, limit: max(policy.maxRetryAfter, .zero))
            hold(head, for: pause.hold)
        }
        return pause
    }

    /// Holds the host if a response, whatever its status, says that a quota is used up.
    func holdHostIfQuotaIsUsedUp(_ head: ResponseHead) {
        guard let pause = RequestedPause(head), pause.isQuotaUsedUp, let delay = pause.delay else { return }
        hold(head, for: delay)
    }

    /// Notes that a host has not refused a request, so that its next refusal does not double the hold.
    func noteAcceptance(_ head: ResponseHead) {
        guard !head.isQuotaRefusal, let host = head.url.host()?.lowercased() else { return }
        environment.refusals.noteAcceptance(by: host, at: environment.now)
    }

    private var holdsHosts: Bool {
        let policy = retryPolicy
        return policy.maxRetries > 0 && policy.honorsRetryAfter && policy.holdsHostAfterRetryAfter
    }

    /// Holds the host of a response.
    ///
    /// The queue knows waiting requests by the hosts of their own URLs. After a redirect, other requests to the
    /// original host will probably be redirected to the same server, so they wait, too.
    private func hold(_ head: ResponseHead, for delay: Duration) {
        guard holdsHosts, let delay = retryPolicy.obeyed(delay), delay > .zero,
            let host = head.url.host()?.lowercased()
        else { return }
        let former = current.host.flatMap { $0 == host ? nil : $0 }
        for host in [host, former].compactMap(\.self) {
            delegate.hold(host, for: delay)
            if environment.hasMonitors { tellMonitors { $0.didHold(host: host, for: delay, in: $1) } }
        }
    }
}
