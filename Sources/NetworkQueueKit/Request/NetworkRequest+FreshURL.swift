import Foundation

/// Links that expire.
extension NetworkRequest {
    /// Returns a fresh URL when the server says that the current one has expired, for instance a new signed link.
    /// Default `nil`: the refusal is a failure like any other.
    ///
    /// ```text
    /// 401: credential → authenticator → freshURL
    /// 403: a used-up quota is waited for, without a call; otherwise freshURL
    /// 410: freshURL
    /// ```
    ///
    /// Called after a rejected response with one of the ``freshURLStatusCodes``, before a ``RetryDecider``, the
    /// ``RetryPolicy`` and ``mirrors``, in a task of its own. It gets the URL that the operation uses now, even if a
    /// redirect led to the server that refused it, and the error with the response. The operation gives its slot back
    /// meanwhile, as for a retry, and the delegate is told of a retry; ``totalTimeout`` and a cancellation end the
    /// operation without waiting for the closure, whose task is canceled.
    ///
    /// - With a URL, the operation goes on there at once. This costs no retry. A download continues its part if the
    ///   validators allow it, an upload starts over. If the scheme, host or port differs from that of ``url``, the
    ///   ``credential``, what an authenticator adds, and `Authorization`, `Cookie`, `Proxy-Authorization` and `Host`
    ///   fields are not sent. A name and a password in the fresh URL are used for it.
    /// - With `nil`, the operation fails with the server's error.
    /// - If the closure throws, or returns a URL that cannot be used, the operation fails with the server's error,
    ///   whose `underlying` is the thrown error or says why. An http URL in place of an https one cannot be used.
    ///
    /// It is called at most three times in a row without a byte of content in between; afterwards the refusal is a
    /// failure like any other. It is not called after the failure of a mirror.
    ///
    /// A sizing request of a ``NetworkQueue`` calls it after a 410, or if the server has refused both the HEAD and a
    /// GET for the first byte with the same status, but only once, and then the operation itself calls it only after a
    /// byte has come. The operation starts with the URL that sizing got.
    ///
    /// ``RequestOperation/request``, errors, records and the search for duplicates keep the original ``url``, and a
    /// part on disk belongs to it. ``ResponseHead/url`` is the URL that served the response.
    ///
    /// A closure cannot be recorded: it is one of a record's ``Record/omissions``.
    public var freshURL: (@Sendable (_ expired: URL, _ error: NetworkError) async throws -> URL?)? {
        get { freshLink.closure.value }
        set { freshLink.closure.value = newValue }
    }

    /// The statuses after which ``freshURL`` is called. Default 401, 403 and 410.
    public var freshURLStatusCodes: Set<Int> {
        get { freshLink.statusCodes }
        set { freshLink.statusCodes = newValue }
    }

    /// How to replace an expired URL.
    struct FreshLink: Sendable {
        var closure = Secret<(@Sendable (URL, NetworkError) async throws -> URL?)?>(nil)
        var statusCodes: Set<Int> = [401, 403, 410]
    }

    /// Whether attempts may go to other hosts than that of ``url``.
    var mayChangeHost: Bool { hasFreshURL || !mirrors.isEmpty }
}

/// The answer of ``NetworkRequest/freshURL``.
struct FreshURLAnswer: Sendable {
    /// `nil` if there is no usable URL.
    let url: URL?
    /// The error that `freshURL` threw, if it threw one.
    var reason: (any Error)?
}
