import Foundation

extension ScriptedResponse {
    /// No content, with a status.
    public static func status(_ status: Int, headers: ReceivedHeaders = [:]) -> ScriptedResponse {
        ScriptedResponse(status: status, headers: headers)
    }

    /// Text in UTF-8, by default with the status 200.
    public static func text(_ text: String, status: Int = 200) -> ScriptedResponse {
        data(Data(text.utf8), contentType: "text/plain; charset=utf-8", status: status)
    }

    /// JSON given as text, by default with the status 200. It is not checked.
    public static func json(_ json: String, status: Int = 200) -> ScriptedResponse {
        data(Data(json.utf8), contentType: "application/json", status: status)
    }

    /// Bytes, by default with the status 200 and `application/octet-stream`; `nil` sends no type.
    public static func data(
        _ data: Data, contentType: String? = "application/octet-stream", status: Int = 200
    ) -> ScriptedResponse {
        var response = ScriptedResponse(status: status, content: .data(data))
        response.headers["Content-Type"] = contentType
        return response
    }

    /// A ``GeneratedContent`` of any number of bytes, produced while it is sent.
    public static func generated(size: Int64, seed: UInt64 = 0) -> ScriptedResponse {
        ScriptedResponse(
            headers: ["Content-Type": "application/octet-stream"],
            content: .generated(GeneratedContent(size: size, seed: seed)))
    }

    /// A redirect, by default with the status 302. The location is sent as it is.
    public static func redirect(to location: String, status: Int = 302) -> ScriptedResponse {
        ScriptedResponse(status: status, headers: ["Location": location])
    }

    /// The request as the server received it, as the JSON of an ``Echo``.
    public static var echo: ScriptedResponse {
        ScriptedResponse(headers: ["Content-Type": "application/json"], content: .echo)
    }

    /// Exactly these bytes in place of head and body; then the connection is closed (default) or left open.
    public static func raw(_ bytes: Data, closes: Bool = true) -> ScriptedResponse {
        var response = ScriptedResponse(content: .raw(bytes))
        response.closesConnection = closes
        return response
    }

    /// Exactly this text, in UTF-8, in place of head and body; then the connection is closed (default) or left open.
    public static func raw(_ text: String, closes: Bool = true) -> ScriptedResponse {
        raw(Data(text.utf8), closes: closes)
    }

    /// The request's head is read, its body is not, and the connection is closed without a byte.
    ///
    /// If a body is under way, the client's system sees an RST, else a FIN.
    public static var hangUp: ScriptedResponse {
        raw(Data()).ignoringBody().dropping(after: 0)
    }

    /// The request is read and never answered, until the client hangs up or the server stops.
    public static var silence: ScriptedResponse {
        raw(Data()).stalling(after: 0)
    }
}
