import Foundation

extension NetworkError: LocalizedError, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A sentence to show to users, without credentials.
    ///
    /// It includes the host; the proxy's host and port if the request did not get beyond the proxy; or the path of the
    /// file concerned, with advice. If one of your hooks threw the error, it includes the hook's type. The first of
    /// ``formerFailures`` is appended.
    public var description: String {
        // No details: a cancellation is usually the user's own choice.
        if code == .cancelled { return "Cancelled." }
        let beneath = underlying as? URLError
        let proxy = beneath?.failedProxy
        let sentence =
            proxy == nil
            ? code.sentence
            : beneath?.isProxyCredentialRefused == true
                ? "The proxy refused the user or the password" : code.proxySentence
        let place = (proxy ?? host).map { $0.isEmpty ? "" : " (\($0))" } ?? ""
        let origin = hook.map { " in \($0)" } ?? ""
        return (isUnsent ? "The request was not sent" : isRefused ? Self.refusal : sentence) + place + origin + detail
            + formerly
    }

    /// The failure of the first URL, if there were several.
    private var formerly: String {
        formerFailures.first.map {
            " The first of \(formerFailures.count + 1) URLs had failed before: \($0.description)"
        } ?? ""
    }

    /// The host to name in the description; `nil` for errors about a file.
    private var host: String? {
        code == .fileSystem || code == .bodyUnavailable || file != nil ? nil : url?.host()
    }

    /// Whether the request was not sent, so that there is no response.
    private var isUnsent: Bool {
        (underlying as? any UnsentReason)?.isUnsent == true
    }

    /// Whether the transport does not support what the request asks for.
    private var isRefused: Bool { code == .unsupportedConfiguration && underlying is URLError }
    private static let refusal = "The transport cannot do what the request asks for"

    /// The error's ``description``.
    public var errorDescription: String? { description }

    /// The ``description``, with advice for developers if there is any.
    public var debugDescription: String {
        guard mayComeFromHead else { return description }
        return description
            + " A HEAD for it had succeeded before. If the server takes that for the one use of a link, set expectedDownloadSize or turn "
            + "showsAccurateProgress off, so that none is sent."
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

    /// The path of the file concerned, as a prefix for the reason.
    private var place: String { file.map { "“\($0.path)”: " } ?? "" }
    /// The advice to append to the reason.
    private var advice: String { file?.advice.map { " " + $0 } ?? "" }

    /// The reason from the underlying error.
    private var reason: String {
        switch underlying {
        case nil: "."
        case let error as POSIXError: ": " + place + String(cString: strerror(error.code.rawValue)) + "." + advice
        case let error as DecodingError: ": " + error.sentence.withoutUserInformationInURLs
        case let error?: ": " + place + error.localizedDescription.withoutUserInformationInURLs
        }
    }

    /// Details from the underlying error, if they say more than the code.
    private var detail: String {
        switch code {
        case .fileSystem, .bodyUnavailable, .tlsFailure, .unsupportedConfiguration, .unknown, .processing, .adapting,
            .validation, .contentMismatch, .resourceShortage:
            return reason
        // For this code, a transport's underlying error adds nothing.
        case .authenticationRequired where hook != nil: return reason
        case .badServerResponse, .malformedRequest:
            let reason = (underlying as? URLError)?.errorUserInfo[NSLocalizedDescriptionKey] as? String
            return reason.map { ": \($0)" } ?? "."
        default:
            return "."
        }
    }
}

extension NetworkError.Code {
    /// The sentence for a request that failed at a proxy.
    fileprivate var proxySentence: String {
        switch self {
        case .timedOut: "The proxy took too long to answer"
        case .cannotFindHost: "The proxy’s name could not be found"
        case .cannotConnectToHost: "The proxy could not be reached"
        case .tlsFailure: "No secure connection to the proxy could be made"
        case .authenticationRequired: "The proxy asks for credentials that it was not given"
        default: "The proxy made no connection to the server"
        }
    }

    fileprivate var sentence: String {
        switch self {
        case .cancelled: "The request was cancelled"
        case .timedOut: "The server took too long to answer"
        case .cannotFindHost: "The server’s name could not be found"
        case .cannotConnectToHost: "The server could not be reached"
        case .connectionLost: "The connection was lost"
        case .tlsFailure: "No secure connection could be made"
        case .badURL: "The URL is not valid"
        case .unsupportedScheme: "Only http and https URLs are supported"
        case .adapting: "The request could not be prepared"
        case .malformedRequest: "The request has a method or a header field that HTTP does not allow"
        case .tooManyRedirects: "The server redirected too often"
        case .badServerResponse: "The server’s response is malformed"
        case .httpStatus(let status): "The server answered with status \(status)"
        case .validation: "The response was not accepted"
        case .contentMismatch: "The content is not what was expected"
        case .processing: "The response could not be processed"
        case .fileSystem: "A file could not be read or written"
        case .bodyUnavailable: "The content to send could not be read"
        case .responseTooLarge: "The response is too large"
        case .authenticationRequired: "The server asks for credentials that it was not given"
        case .unsupportedConfiguration: "The transport cannot be made as its configuration asks"
        case .resourceShortage: "The system lacks what the request needs"
        case .unknown: "The request failed"
        }
    }
}

extension DecodingError {
    /// The problem and its location in JavaScript notation, such as `notes[2].title`.
    fileprivate var sentence: String {
        switch self {
        case .typeMismatch(_, let context), .dataCorrupted(let context): context.place() + context.debugDescription
        case .valueNotFound(let type, let context): context.place() + "Expected \(type) but found null."
        case .keyNotFound(let key, let context): context.place(of: key) + "Missing."
        @unknown default: localizedDescription
        }
    }
}

extension DecodingError.Context {
    fileprivate func place(of key: (any CodingKey)? = nil) -> String {
        let path = (codingPath + (key.map { [$0] } ?? [])).reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += (path.isEmpty ? "" : ".") + key.stringValue
            }
        }
        return path.isEmpty ? "" : path + ": "
    }
}
