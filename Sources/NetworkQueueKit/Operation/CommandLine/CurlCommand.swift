import Foundation

/// A POSIX shell command line that sends a request with the program `curl`.
struct CurlCommand {
    /// The longest word: a longer argument may exceed the system's limit. What a shell writes to a pipe has no limit.
    private static let longestWord = 64 * 1024
    private static let hidden = "<hidden>"

    private let request: NetworkRequest
    private let includesCredentials: Bool
    /// Quoted for the shell.
    private var words = ["curl"]
    /// The commands that write curl's standard input.
    private var input: [String] = []

    init(_ request: NetworkRequest, includingCredentials includesCredentials: Bool) {
        self.request = request
        self.includesCredentials = includesCredentials
        let exchange = try? HTTPExchange(request)
        addMethod()
        addCredential()
        addFields(exchange)
        addContent()
        addDestination()
        addURL(exchange)
    }

    var text: String {
        let command = words.joined(separator: " ")
        switch input.count {
        case 0: return command
        case 1: return "\(input[0]) | \(command)"
        default: return "{ \(input.joined(separator: "; ")); } | \(command)"
        }
    }

    private mutating func add(_ option: String, _ value: String? = nil) {
        words.append(option)
        if let value { words.append(ShellWord.quoted(value)) }
    }

    // MARK: Method and URL

    private var isHEAD: Bool { request.method == "HEAD" }
    /// These methods are expected to have content, so Content-Length is sent even when the content is empty (RFC 9110,
    /// section 8.6).
    private var sendsContent: Bool {
        !isHEAD && (request.hasBody || ["POST", "PUT", "PATCH"].contains(request.method))
    }

    private mutating func addMethod() {
        if isHEAD {
            add("--head")
        } else if request.method != "GET" || sendsContent {
            add("-X", request.method)
        }
    }

    private mutating func addURL(_ exchange: HTTPExchange?) {
        let url = (try? exchange?.wireURL()) ?? (request.lacksURL ? "" : request.url.printable)
        if url.contains(where: { "[]{}".contains($0) }) { add("--globoff") }
        if url.contains("/.") || url.lowercased().contains("%2e") { add("--path-as-is") }
        // Unlike this library, curl capitalizes hexadecimal digits.
        if let exchange, url.contains(/%([a-f].|.[a-f])/) { add("--request-target", exchange.requestTarget) }
        words.append(ShellWord.alwaysQuoted(url))
    }

    // MARK: Fields

    /// An `Authorization` field of the request takes precedence, in curl as in this library.
    private mutating func addCredential() {
        guard includesCredentials else { return }
        let own = request.credential.flatMap { credential in credential.user.map { ($0, credential.password ?? "") } }
        let url = request.url
        let inURL = url.user(percentEncoded: false).map { ($0, url.password(percentEncoded: false) ?? "") }
        guard let (user, password) = own ?? inURL else { return }
        if !request.sendsCredentialUnasked { add("--anyauth") }
        add("-u", "\(user):\(password)")
    }

    private mutating func addFields(_ exchange: HTTPExchange?) {
        var headers = exchange?.headers ?? request.headers
        let isForm = isForm
        if isForm { headers.removeAll(named: "Content-Type") }
        for field in headers where field.isSendable {
            let value = includesCredentials ? field.value : field.printableValue
            // curl would remove the field for "Name:".
            add("-H", value.isEmpty ? "\(field.name);" : "\(field.name): \(value)")
        }
        for name in headers.suppressedNames where !headers.contains(name) { add("-H", "\(name):") }
        if headers.mayGain("Accept-Encoding") { addCodings(mayCompress: !headers.contains("Range")) }
        guard sendsContent else { return }
        // Prevent curl from adding its own fields.
        if headers.mayGain("Content-Type"), !isForm { add("-H", "Content-Type:") }
        if headers.mayGain("Expect") { add("-H", "Expect:") }
    }

    private mutating func addCodings(mayCompress: Bool) {
        if request.acceptsCompressed, mayCompress, let codings = ContentCoding.accepted {
            add("-H", "Accept-Encoding: \(codings)")
            add("--compressed")
        }
    }

    // MARK: Content

    /// Whether curl's `-F` can build the same form.
    private var isForm: Bool {
        guard sendsContent, case .multipart(let form) = request.body?.content else { return false }
        return !request.headers.contains("Content-Type") && !form.parts.isEmpty && form.parts.allSatisfy(\.isPlain)
    }

    private mutating func addContent() {
        guard sendsContent else { return }
        switch request.body?.content {
        case .data(let data): add(data)
        case .file(let file): add("--data-binary", "@\(file.path(percentEncoded: false))")
        case .multipart(let form): if isForm { add(form) } else { addPieces(of: form) }
        case .stream: add("--data-binary", "@-")
        case nil: add(request.foundation?.httpBody ?? Data())
        }
    }

    private mutating func add(_ data: Data) {
        guard let text = ShellWord.text(of: data), data.count <= Self.longestWord else {
            input.append(ShellWord.printf(data))
            return add("--data-binary", "@-")
        }
        // curl would take an at sign for the start of a file name.
        add(text.utf8.first == UInt8(ascii: "@") ? "--data-raw" : "--data-binary", text)
    }

    private mutating func add(_ form: MultipartForm) {
        for part in form.parts {
            switch part.content {
            case .data(let data): add("--form-string", "\(part.name)=\(ShellWord.text(of: data) ?? "")")
            case .file(let file):
                var value = "\(part.name)=@\(ShellWord.formQuoted(file.path(percentEncoded: false)))"
                if let fileName = part.fileName { value += ";filename=\(ShellWord.formQuoted(fileName))" }
                if let type = part.contentType { value += ";type=\(type)" }
                add("-F", value)
            }
        }
    }

    /// Adds the form byte by byte, with its own boundary.
    private mutating func addPieces(of form: MultipartForm) {
        var pending = Data()
        for part in form.parts {
            pending += part.head(boundary: form.boundary)
            switch part.content {
            case .data(let data): pending += data
            case .file(let file):
                input.append(ShellWord.printf(pending))
                pending = Data()
                input.append("cat \(ShellWord.quoted(file.path(percentEncoded: false)))")
            }
            pending += MultipartBody.partEnd
        }
        input.append(ShellWord.printf(pending + MultipartBody.end(boundary: form.boundary)))
        add("--data-binary", "@-")
    }

    // MARK: Destination

    private mutating func addDestination() {
        switch request.destination {
        case .memory, .sink: break
        case .discard: add("-o", "/dev/null")
        case .file(let file, _, _):
            add("--create-dirs")
            add("-o", file.path(percentEncoded: false))
        }
    }
}

extension HTTPHeaders.Field {
    /// Whether a transport sends the field. Any other field makes the request fail.
    fileprivate var isSendable: Bool {
        !name.isEmpty && name.utf8.allSatisfy(\.isTokenCharacter) && !value.utf8.contains(where: \.isForbiddenInValue)
    }
}

extension MultipartForm.Part {
    /// Whether curl's `-F` builds the same part.
    fileprivate var isPlain: Bool {
        guard !name.isEmpty, Self.isPlain(name), !name.contains(byte: "=") else { return false }
        switch content {
        case .data(let data):
            return fileName == nil && contentType == nil && data.count <= 4096 && ShellWord.text(of: data) != nil
        case .file(let file):
            return Self.isPlain(fileName ?? "") && Self.isPlain(file.path(percentEncoded: false))
                && contentType?.wholeMatch(of: /[A-Za-z0-9.+\-]+\/[A-Za-z0-9.+\-]+/) != nil
        }
    }

    /// Versions of curl differ in how they write all other characters.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }
}

extension RequestOperation {
    /// Returns a POSIX shell command line that sends the same request with the program `curl`.
    ///
    /// ```console
    /// curl -X POST -H 'Content-Type: application/json' -H Expect: --data-binary '{"a":1}' 'https://example.com/a'
    /// ```
    ///
    /// The command has the method, header fields, content, destination and URL of ``request``. Text is written into the
    /// command; other bytes come from `printf` with octal escapes, and files by name (`@file`). A form becomes `-F`, or
    /// is written in pieces through a pipe if `-F` would not send the same bytes. You have to supply a stream's content
    /// as standard input.
    ///
    /// The command leaves out what the queue, adapters, an authenticator and a cookie storage add, and also
    /// `Accept-Encoding: identity`, redirects, retries and the resuming of a download.
    ///
    /// - Parameter includingCredentials: whether the command may include secrets. With `false`, the default, `<hidden>`
    ///   replaces the values of `Authorization`, `Cookie`, `Proxy-Authorization` and all other fields that
    ///   ``HTTPHeaders`` does not print, and the URL has no user name and password; secrets in the content or the URL's
    ///   query remain. With `true` everything is included, and ``NetworkRequest/credential``, or the user name and
    ///   password of the URL, become `-u`.
    public func curlCommand(includingCredentials: Bool = false) -> String {
        request.curlCommand(includingCredentials: includingCredentials)
    }
}

extension NetworkRequest {
    /// Returns a `curl` command line for the request; see ``RequestOperation/curlCommand(includingCredentials:)``.
    public func curlCommand(includingCredentials: Bool = false) -> String {
        CurlCommand(self, includingCredentials: includingCredentials).text
    }
}
