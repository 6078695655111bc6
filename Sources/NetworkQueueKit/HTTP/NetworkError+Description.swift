import Foundation

extension NetworkError: LocalizedError, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Sentences for the user of an app: what is wrong with what, and what to do, without credentials and without names
    /// of this API. They name the host, with the port if it is about a connection, or the proxy if the request got no
    /// further, or the path of the file. The first of ``formerFailures`` follows.
    public var errorDescription: String? { text(.user) }

    /// ``errorDescription`` in words for a developer: it names settings of this API, and the type of your hook if one
    /// threw the error.
    public var description: String { text(.developer) }

    /// ``description``, and what else a developer can do about it.
    public var debugDescription: String {
        guard mayComeFromHead else { return description }
        return description
            + " A HEAD request for this URL had succeeded. If the link works only once, set expectedDownloadSize or turn off "
            + "showsAccurateProgress, so that no HEAD is sent."
    }

    /// The properties, with the underlying error as text in which URLs have no user name and password.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "code": code,
                "underlying": underlying.map { String(describing: $0).withoutUserInformationInURLs } as Any,
                "hook": hook as Any, "operationID": operationID as Any, "url": url?.printable as Any,
                "attempts": attempts, "response": response as Any,
            ], displayStyle: .struct)
    }

    /// ``errorDescription`` without the host and without ``formerFailures``, so that like failures of several hosts have
    /// equal texts. It names a proxy.
    package var summary: String { sentence(.summary) }

    /// Whom a text is for. The summary of many failures does not name the host.
    private enum Reader {
        case user, developer, summary
    }

    private func text(_ reader: Reader) -> String {
        // Mostly the user's own wish: nothing has gone wrong.
        if code == .cancelled { return "Cancelled." }
        var text = sentence(reader)
        if reader == .developer, let hook { text += " Thrown by \(hook)." }
        if let first = formerFailures.first {
            text += " Before that, the first of \(formerFailures.count + 1) URLs failed: \(first.text(reader))"
        }
        return text
    }

    // MARK: The sentence

    private func sentence(_ reader: Reader) -> String {
        if let beneath = underlying as? URLError, let proxy = beneath.failedProxy {
            return proxySentence(proxy.isEmpty ? "proxy" : "proxy \(proxy)", beneath)
        }
        if (underlying as? any UnsentReason)?.isUnsent == true { return "The request was not sent" + reason(reader) }
        return switch code {
        case .cancelled: "Cancelled."
        case .timedOut, .cannotFindHost, .cannotConnectToHost, .connectionLost, .tlsFailure: connectionSentence(reader)
        case .badURL, .unsupportedScheme, .adapting, .malformedRequest: requestSentence(reader)
        case .fileSystem, .bodyUnavailable: fileSentence(reader)
        case .insufficientSpace: spaceSentence
        case .unsupportedConfiguration: configurationSentence(reader)
        case .tooManyRedirects: server(reader) + "redirected the request too many times."
        case .httpStatus(let status): server(reader) + "responded with status \(status)."
        case .authenticationRequired where hook != nil && underlying != nil:
            server(reader) + "requires authentication" + reason(reader)
        case .authenticationRequired:
            server(reader) + "requires authentication, and no valid credentials were given."
        case .badServerResponse: "Invalid response\(server("from", host, reader))" + ownReason
        case .validation: "The response\(server("from", host, reader)) was rejected" + reason(reader)
        case .contentMismatch: "The content\(server("from", host, reader)) does not match" + reason(reader)
        case .processing: processingSentence(reader)
        case .responseTooLarge: "The response\(server("from", host, reader)) is too large."
        case .resourceShortage: "Out of system resources" + reason(reader)
        case .earlierStageFailed: "Not started: a request of an earlier stage failed or was canceled."
        case .unknown: "The request\(server("to", host, reader)) failed" + reason(reader)
        }
    }

    private func connectionSentence(_ reader: Reader) -> String {
        let place = server("to", address, reader)
        return switch code {
        case .timedOut: "The request\(place) timed out\(rejectedStatus.map { " after status \($0)" } ?? "")."
        case .cannotFindHost: "Could not resolve host\(reader == .summary ? "" : host.map { " " + $0 } ?? "")."
        case .cannotConnectToHost: "Could not connect\(place)\(refusal)."
        case .connectionLost: "The connection\(place) was lost\(isHandshakeCut ? " during the TLS handshake" : "")."
        default: "Could not make a secure connection\(place)" + reason(.user)
        }
    }

    /// The status of an earlier attempt that the server did not accept.
    private var rejectedStatus: Int? {
        response.flatMap { $0.head.statusCode >= 400 ? $0.head.statusCode : nil }
    }

    private func proxySentence(_ proxy: String, _ beneath: URLError) -> String {
        switch code {
        case .timedOut: "The \(proxy) did not answer in time."
        case .cannotFindHost: "Could not resolve the host of the \(proxy)."
        case .cannotConnectToHost: "Could not connect to the \(proxy)\(refusal)."
        case .tlsFailure: "Could not make a secure connection to the \(proxy)" + reason(.user)
        case .authenticationRequired where beneath.isProxyCredentialRefused:
            "The \(proxy) rejected the user name or password."
        case .authenticationRequired: "The \(proxy) requires authentication, and no valid credentials were given."
        default: "The \(proxy) did not connect to the server."
        }
    }

    private func requestSentence(_ reader: Reader) -> String {
        switch code {
        case .badURL:
            let name = url.map { "“\($0.printable)” is not a valid URL" } ?? "The URL is not valid"
            return name + "; it needs http:// or https:// and a host."
        case .unsupportedScheme:
            let scheme = url?.scheme?.lowercased() ?? ""
            return ["", "http", "https"].contains(scheme)
                ? "Only http and https URLs are supported." : "“\(scheme)” URLs are not supported; use http or https."
        case .malformedRequest:
            let reason = (underlying as? URLError)?.errorUserInfo[NSLocalizedDescriptionKey] as? String
            return reason?.ended ?? "The method or a header field contains characters that HTTP does not allow."
        default: return "Could not prepare the request\(host.map { server("to", $0, reader) } ?? "")" + reason(reader)
        }
    }

    private func fileSentence(_ reader: Reader) -> String {
        let name = file.map { "“\($0.path)”" }
        if code == .bodyUnavailable {
            return (name.map { "Could not read \($0) to send it" } ?? "Could not read the content to send")
                + reason(reader)
        }
        if let name, (underlying as? POSIXError)?.code == .EEXIST { return "\(name) already exists.\(advice(reader))" }
        return "Could not read or write \(name ?? "a file")" + reason(reader)
    }

    private var spaceSentence: String {
        guard let space else { return "There is not enough space for the files." }
        return "The files need \(space.needed) bytes, and “\(space.path)” has \(space.free) free. Free some space, or "
            + "choose another folder."
    }

    private func configurationSentence(_ reader: Reader) -> String {
        if underlying is StagesUnsupported { return "The queue does not support this request" + reason(reader) }
        if underlying is UnsupportedUpload { return "The upload is not possible" + reason(reader) }
        let sentence =
            underlying is URLError
            ? "The transport does not support this request" : "Invalid transport configuration"
        // The reason names settings, about which an app's user can do nothing.
        return sentence + (reader == .developer ? reason(reader) : ".")
    }

    private func processingSentence(_ reader: Reader) -> String {
        let place = server("from", host, reader)
        guard let error = underlying as? DecodingError else {
            return "Could not process the response\(place)" + reason(reader)
        }
        let type = response?.head.headers["Content-Type"] ?? ""
        let content = type.isEmpty || type.lowercased().contains("json") ? "JSON" : "content"
        return "The \(content)\(place) does not match: " + error.mismatch.withoutUserInformationInURLs.ended
    }

    // MARK: Parts of it

    /// The server as the subject of a sentence, with a space behind it.
    private func server(_ reader: Reader) -> String {
        host == nil || reader != .summary ? "\(host ?? "The server") " : ""
    }

    /// The server behind a preposition and a space.
    private func server(_ preposition: String, _ name: String?, _ reader: Reader) -> String {
        name == nil || reader != .summary ? " \(preposition) \(name ?? "the server")" : ""
    }

    /// The host that was asked, also behind a redirect; `nil` for a URL without one.
    private var host: String? { peer?.host().flatMap { $0.isEmpty ? nil : $0 } }

    /// The URL of the exchange that failed.
    private var peer: URL? { exchangeURL ?? response?.head.url ?? url }

    /// Host and port of the server that was asked, also behind a redirect, such as `example.com:443`; `nil` for a URL
    /// without a host.
    package var address: String? { peer?.address }

    /// Why no connection was made, such as `: connection refused`, if the system said so.
    private var refusal: String {
        let beneath = underlying as? URLError
        if beneath?.code == .notConnectedToInternet { return ": there is no internet connection" }
        let system = beneath?.errorUserInfo[NSUnderlyingErrorKey] as? POSIXError
        return system.map { ": " + $0.words.prefix(1).lowercased() + $0.words.dropFirst() } ?? ""
    }

    /// What to do about a file, behind what is wrong with it.
    private func advice(_ reader: Reader) -> String {
        let advice = reader == .developer ? file?.developerAdvice ?? file?.advice : file?.advice
        return advice.map { " " + $0 } ?? ""
    }

    /// What the error beneath says, behind a colon.
    private func reason(_ reader: Reader) -> String {
        switch underlying {
        case nil: return "."
        case let error as POSIXError:
            // In the other sentences about a file it comes first.
            let name = code == .resourceShortage ? file.map { "“\($0.path)”: " } ?? "" : ""
            return ": " + name + error.words.ended + advice(reader)
        case let error?:
            return ": " + error.localizedDescription.withoutUserInformationInURLs.continued.ended + advice(reader)
        }
    }

    /// What the layer beneath says where it knows more than the code does: a sentence of the library's own.
    private var ownReason: String {
        let reason = (underlying as? URLError)?.errorUserInfo[NSLocalizedDescriptionKey] as? String
        return reason.map { ": " + $0.continued.ended } ?? "."
    }
}

extension URL {
    /// Host and port, such as `example.com:443`; `nil` without a host.
    package var address: String? {
        guard let host = host(), !host.isEmpty else { return nil }
        let port = port ?? (scheme?.lowercased() == "https" ? 443 : 80)
        return "\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}

extension POSIXError {
    /// The system's words for it, such as `No such file or directory`, unless there are more precise ones.
    fileprivate var words: String {
        errorUserInfo[NSLocalizedDescriptionKey] as? String ?? String(cString: strerror(code.rawValue))
    }
}

extension String {
    /// The text with a period at its end, if nothing else ends it.
    fileprivate var ended: String { last.map { ".!?…".contains($0) } == true ? self : self + "." }

    /// A sentence as it goes on behind a colon: names at the beginning keep their capital.
    fileprivate var continued: String {
        let starts = [
            "The ", "A ", "An ", "This ", "It ", "Its ", "No ", "More ", "Client ", "Could ", "Cannot ", "Expected ",
        ]
        return starts.contains(where: hasPrefix) ? prefix(1).lowercased() + dropFirst() : self
    }
}

extension DecodingError {
    /// The problem and its location in JavaScript notation, such as `notes[2].title`.
    fileprivate var mismatch: String {
        switch self {
        case .typeMismatch(_, let context), .dataCorrupted(let context):
            let words = context.debugDescription.continued
            return context.codingPath.isEmpty ? words : "at \(context.codingPath.text), \(words)"
        case .valueNotFound(let type, let context):
            let words = "expected \(type) but found null."
            return context.codingPath.isEmpty ? words : "at \(context.codingPath.text), \(words)"
        case .keyNotFound(let key, let context): return "\((context.codingPath + [key]).text) is missing."
        @unknown default: return localizedDescription
        }
    }
}

extension [any CodingKey] {
    fileprivate var text: String {
        reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += (path.isEmpty ? "" : ".") + key.stringValue
            }
        }
    }
}
