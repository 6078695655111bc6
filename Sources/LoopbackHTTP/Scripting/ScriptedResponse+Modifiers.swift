import Foundation

extension ScriptedResponse {
    /// The response with a property changed.
    public func with<Value>(_ property: WritableKeyPath<ScriptedResponse, Value>, _ value: Value) -> ScriptedResponse {
        var copy = self
        copy[keyPath: property] = value
        return copy
    }

    /// Sets the status and, if given, the reason phrase.
    public func status(_ status: Int, reason: String? = nil) -> ScriptedResponse {
        with(\.status, status).with(\.reason, reason)
    }

    /// Adds a header field after those that are there, also of the same name.
    public func header(_ name: String, _ value: String) -> ScriptedResponse {
        var copy = self
        copy.headers.add(name, value)
        return copy
    }

    /// Adds an interim response such as `103` with `Link`.
    public func interim(_ status: Int, headers: ReceivedHeaders = [:]) -> ScriptedResponse {
        with(\.interim, interim + [Interim(status: status, headers: headers)])
    }

    /// Sends the body in chunks, by default of at most 16 KiB and without trailers.
    public func chunked(size: Int = 16 << 10, trailers: ReceivedHeaders = [:]) -> ScriptedResponse {
        with(\.framing, .chunked(size: max(1, size), trailers: trailers))
    }

    /// Sends no length and marks the end by closing the connection.
    public func untilClose() -> ScriptedResponse {
        with(\.framing, .untilClose)
    }

    /// Sends a `Content-Length` that need not be true: a number, or text such as `"-5"`.
    public func declaring(length: DeclaredLength) -> ScriptedResponse {
        with(\.declaredLength, length)
    }

    /// Waits before the head, and between head and body.
    public func delayed(head: Duration = .zero, body: Duration = .zero) -> ScriptedResponse {
        with(\.delayBeforeHead, head).with(\.delayBeforeBody, body)
    }

    /// Sends the body at a pace: its last byte leaves `size ÷ bytesPerSecond` seconds after its beginning.
    public func paced(bytesPerSecond: Int64) -> ScriptedResponse {
        with(\.bytesPerSecond, max(1, bytesPerSecond))
    }

    /// Falls silent after so many bytes of body (all, if it has fewer), until the client hangs up or the server stops.
    public func stalling(after count: Int64) -> ScriptedResponse {
        with(\.ending, .stall(after: count))
    }

    /// Drops the connection after so many bytes of body (all, if it has fewer), with a FIN (default) or an RST.
    public func dropping(after count: Int64, _ hangUp: HangUp = .finish) -> ScriptedResponse {
        with(\.ending, .drop(after: count, hangUp))
    }

    /// Closes the connection after the response and says so in `Connection: close`.
    public func closing() -> ScriptedResponse {
        with(\.closesConnection, true)
    }

    /// Waits at a point until the gate lets the request pass. Several gates at one point are passed in order.
    public func gated(by gate: Gate, at point: GatePoint = .beforeHead) -> ScriptedResponse {
        with(\.gates, gates + [(gate, point)])
    }

    /// Refuses HEAD, by default with 405, while other methods work.
    public func refusingHEAD(status: Int = 405) -> ScriptedResponse {
        with(\.headBehavior, .refused(status: status))
    }

    /// Answers HEAD with another response, so that HEAD can lie.
    public func head(_ response: ScriptedResponse) -> ScriptedResponse {
        with(\.headBehavior, .response(response))
    }

    /// Honours byte ranges, with validators for `If-Range`: an entity tag (quotes included) and a date.
    public func acceptingRanges(etag: String? = nil, lastModified: String? = nil) -> ScriptedResponse {
        with(\.acceptsRanges, true).with(\.etag, etag).with(\.lastModified, lastModified)
    }

    /// Answers without reading the request's body.
    public func ignoringBody() -> ScriptedResponse {
        with(\.readsBody, false)
    }

    /// Reads the body without `100 Continue`, as servers do that do not know `Expect`.
    public func ignoringExpect() -> ScriptedResponse {
        with(\.answersExpect, false)
    }
}
