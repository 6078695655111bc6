/// Why a connection's thread stops serving it.
enum Disconnection: Error {
    /// The client hung up, or the server stops; nothing more can be sent.
    case gone
    /// The script wants the connection dropped.
    case dropped(ScriptedResponse.HangUp)
    /// What the client sent is not HTTP; it gets this status.
    case malformed(status: Int)
}
