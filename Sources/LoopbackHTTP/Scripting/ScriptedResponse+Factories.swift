import Foundation

extension ScriptedResponse {
    /// A response with a status and no content.
    public static func status(_ status: Int, headers: ReceivedHeaders = [:]) -> ScriptedResponse {
        ScriptedResponse(status: status, headers: headers)
    }

    /// A response with UTF-8 text; status 200 by default.
    public static func text(_ text: String, status: Int = 200) -> ScriptedResponse {
        data(Data(text.utf8), contentType: "text/plain; charset=utf-8", status: status)
    }

    /// A response with JSON text, which is not validated; status 200 by default.
    public static func json(_ json: String, status: Int = 200) -> ScriptedResponse {
        data(Data(json.utf8), contentType: "application/json", status: status)
    }

    /// A response with these bytes; by default status 200 and `application/octet-stream`. A `nil` type sends no
    /// `Content-Type`.
    public static func data(
        _ data: Data, contentType: String? = "application/octet-stream", status: Int = 200
    ) -> ScriptedResponse {
        var response = ScriptedResponse(status: status, content: .data(data))
        response.headers["Content-Type"] = contentType
        return response
    }

    /// A response with a ``GeneratedContent`` of any size, generated while it is sent.
    public static func generated(size: Int64, seed: UInt64 = 0) -> ScriptedResponse {
        ScriptedResponse(
            headers: ["Content-Type": "application/octet-stream"],
            content: .generated(GeneratedContent(size: size, seed: seed)))
    }

    /// A redirect; status 302 by default. The location is sent unchanged.
    public static func redirect(to location: String, status: Int = 302) -> ScriptedResponse {
        ScriptedResponse(status: status, headers: ["Location": location])
    }

    /// A response that describes the request as the server received it, in the JSON of an ``Echo``.
    public static var echo: ScriptedResponse {
        ScriptedResponse(headers: ["Content-Type": "application/json"], content: .echo)
    }

    /// A response that sends exactly these bytes in place of head and body, then closes the connection (default) or
    /// leaves it open.
    public static func raw(_ bytes: Data, closes: Bool = true) -> ScriptedResponse {
        var response = ScriptedResponse(content: .raw(bytes))
        response.closesConnection = closes
        return response
    }

    /// A response that sends exactly this text, as UTF-8, in place of head and body, then closes the connection
    /// (default) or leaves it open.
    public static func raw(_ text: String, closes: Bool = true) -> ScriptedResponse {
        raw(Data(text.utf8), closes: closes)
    }

    /// A response that reads the request's head, but not its body, and closes the connection without sending a byte.
    ///
    /// If part of the body is unread or still arriving, the client's system receives an RST, otherwise a FIN.
    public static var hangUp: ScriptedResponse {
        raw(Data()).ignoringBody().dropping(after: 0)
    }

    /// A response that reads the request and sends nothing until the client hangs up or the server stops.
    public static var silence: ScriptedResponse {
        raw(Data()).stalling(after: 0)
    }
}
