import Foundation

extension ScriptedResponse {
    /// Returns a copy with one property changed.
    public func with<Value>(_ property: WritableKeyPath<ScriptedResponse, Value>, _ value: Value) -> ScriptedResponse {
        var copy = self
        copy[keyPath: property] = value
        return copy
    }

    /// Sets the status and, if given, the reason phrase.
    public func status(_ status: Int, reason: String? = nil) -> ScriptedResponse {
        with(\.status, status).with(\.reason, reason)
    }

    /// Appends a header field; keeps others of the same name.
    public func header(_ name: String, _ value: String) -> ScriptedResponse {
        var copy = self
        copy.headers.add(name, value)
        return copy
    }

    /// Adds an interim response such as `103` with `Link`.
    public func interim(_ status: Int, headers: ReceivedHeaders = [:]) -> ScriptedResponse {
        with(\.interim, interim + [Interim(status: status, headers: headers)])
    }

    /// Sends the body in chunks; by default of at most 16 KiB, without trailers.
    public func chunked(size: Int = 16 << 10, trailers: ReceivedHeaders = [:]) -> ScriptedResponse {
        with(\.framing, .chunked(size: max(1, size), trailers: trailers))
    }

    /// Sends no length and ends the body by closing the connection.
    public func untilClose() -> ScriptedResponse {
        with(\.framing, .untilClose)
    }

    /// Sends a `Content-Length` that may be false: a number, or text such as `"-5"`.
    public func declaring(length: DeclaredLength) -> ScriptedResponse {
        with(\.declaredLength, length)
    }

    /// Waits before sending the head, and between head and body.
    public func delayed(head: Duration = .zero, body: Duration = .zero) -> ScriptedResponse {
        with(\.delayBeforeHead, head).with(\.delayBeforeBody, body)
    }

    /// Sends the body at a steady rate: its last byte leaves `size ÷ bytesPerSecond` seconds after it starts.
    public func paced(bytesPerSecond: Int64) -> ScriptedResponse {
        with(\.bytesPerSecond, max(1, bytesPerSecond))
    }

    /// Stops sending after `count` bytes of body (or all, if it is shorter) until the client hangs up or the server
    /// stops.
    public func stalling(after count: Int64) -> ScriptedResponse {
        with(\.ending, .stall(after: count))
    }

    /// Drops the connection after `count` bytes of body (or all, if it is shorter) with a FIN (default) or an RST.
    public func dropping(after count: Int64, _ hangUp: HangUp = .finish) -> ScriptedResponse {
        with(\.ending, .drop(after: count, hangUp))
    }

    /// Closes the connection after the response and announces it with `Connection: close`.
    public func closing() -> ScriptedResponse {
        with(\.closesConnection, true)
    }

    /// Holds the request at a point until the gate lets it pass. Several gates at one point are passed in order.
    public func gated(by gate: Gate, at point: GatePoint = .beforeHead) -> ScriptedResponse {
        with(\.gates, gates + [(gate, point)])
    }

    /// Refuses HEAD requests, by default with 405. Other methods are answered as usual.
    public func refusingHEAD(status: Int = 405) -> ScriptedResponse {
        with(\.headBehavior, .refused(status: status))
    }

    /// Answers HEAD requests with another response, which may contradict the answer to GET.
    public func head(_ response: ScriptedResponse) -> ScriptedResponse {
        with(\.headBehavior, .response(response))
    }

    /// Honors byte ranges, with validators for `If-Range`: an entity tag (quotes included) and a date.
    public func acceptingRanges(etag: String? = nil, lastModified: String? = nil) -> ScriptedResponse {
        with(\.acceptsRanges, true).with(\.etag, etag).with(\.lastModified, lastModified)
    }

    /// Answers without reading the request's body.
    public func ignoringBody() -> ScriptedResponse {
        with(\.readsBody, false)
    }

    /// Reads the body without sending `100 Continue`, like a server that does not support `Expect`.
    public func ignoringExpect() -> ScriptedResponse {
        with(\.answersExpect, false)
    }
}
