import Foundation

extension TransportConfiguration {
    /// Reads the configured files, and checks the values that no transport supports.
    ///
    /// - Throws: ``NetworkError/Code/fileSystem`` for a file that cannot be read, and
    ///   ``NetworkError/Code/unsupportedConfiguration`` for an invalid file or value.
    func check() throws(NetworkError) {
        let timeouts = [
            ("connectTimeout", connectTimeout), ("idleTimeout", idleTimeout),
            ("totalTimeout", totalTimeout ?? .longest),
        ]
        if let (name, value) = timeouts.first(where: { $0.1 <= .zero }) {
            throw .unsupported("\(name) is \(value); it must be more than 0.")
        }
        if maxConnectionIdleTime < .zero {
            throw .unsupported("maxConnectionIdleTime is \(maxConnectionIdleTime); it must not be negative.")
        }
        if let count = maxConnections, count < 1 {
            throw .unsupported("maxConnections is \(count); it must be at least 1.")
        }
        if let file = trustedCertificatesFile, try !PEMFile(file).hasCertificate {
            throw .unsupported(
                UnsupportedConfiguration(
                    subject: "trustedCertificatesFile", reason: "“\(file.path)” contains no PEM certificate."))
        }
        if let fault = try clientCertificate?.fault { throw .unsupported(fault) }
        // libcurl would take any other text for a file name.
        if let key = pinnedPublicKeys.sorted().first(where: { !Self.isPin($0) }) {
            throw .unsupported(
                "pinnedPublicKeys contains “\(key)”; expected “sha256//” followed by the Base64 of a SHA-256 hash.")
        }
    }

    static func isPin(_ text: String) -> Bool {
        text.hasPrefix("sha256//") && Data(base64Encoded: String(text.dropFirst(8)))?.count == 32
    }
}

extension ClientCertificate {
    /// The fault of the files; `nil` if none can be found before they are used. Only the TLS library can tell whether the
    /// key belongs to the certificate.
    var fault: UnsupportedConfiguration? {
        get throws(NetworkError) {
            guard try PEMFile(certificateFile).hasCertificate else {
                return UnsupportedConfiguration(
                    subject: "Client certificate", reason: "“\(certificateFile.path)” contains no PEM certificate.")
            }
            let key = try PEMFile(keyFile)
            guard key.hasKey else {
                return UnsupportedConfiguration(
                    subject: "Client certificate key", reason: "“\(key.path)” contains no PEM private key.")
            }
            guard password != nil || !key.hasEncryptedKey else {
                return UnsupportedConfiguration(
                    subject: "Client certificate key",
                    reason: "“\(key.path)” is encrypted, and no password was given.")
            }
            return nil
        }
    }

    /// The reason why a TLS library refuses the certificate, as a sentence.
    var refusalReason: String {
        do {
            if let fault = try fault?.errorDescription { return fault }
            return try PEMFile(keyFile).hasEncryptedKey
                ? "The password for client certificate key “\(keyFile.path)” is wrong, or the key does not match certificate "
                    + "“\(certificateFile.path)”."
                : "Client certificate key “\(keyFile.path)” does not match certificate “\(certificateFile.path)”, or one of "
                    + "them is damaged."
        } catch {
            let reason = (error.underlying as? POSIXError).map { String(cString: strerror($0.code.rawValue)) }
            return "Client certificate file “\(error.file?.path ?? "")” cannot be read: \(reason ?? "unknown")."
        }
    }
}

/// A PEM file of certificates or keys (RFC 7468), judged without a TLS library.
struct PEMFile {
    let path: String
    private let text: String

    /// The maximum number of bytes to read. A bundle of all authorities has 300 KB.
    private static let largestSize = 16 * 1024 * 1024

    /// Reads a file.
    ///
    /// - Throws: ``NetworkError/Code/fileSystem`` with the path.
    init(_ file: URL) throws(NetworkError) {
        path = file.path
        let descriptor = POSIXFile.open(path, O_RDONLY)
        guard descriptor >= 0 else { throw Self.fault(errno, path) }
        defer { _ = close(descriptor) }
        guard let status = POSIXFile.status(descriptor) else { throw Self.fault(errno, path) }
        guard status.kind == S_IFREG else { throw Self.fault(status.kind == S_IFDIR ? EISDIR : EINVAL, path) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while bytes.count < Self.largestSize {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.fault(errno, path) }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// Whether the file contains a certificate, including OpenSSL's own form (`TRUSTED CERTIFICATE`).
    var hasCertificate: Bool {
        ["CERTIFICATE", "TRUSTED CERTIFICATE", "X509 CERTIFICATE"].contains { text.contains("-----BEGIN \($0)-----") }
    }

    /// Whether the file contains a private key of any kind.
    var hasKey: Bool { text.contains(/-----BEGIN ([A-Z0-9]+ )*PRIVATE KEY-----/) }

    /// Whether the file contains an encrypted private key, in PKCS #8 or in the older form.
    var hasEncryptedKey: Bool {
        text.contains("-----BEGIN ENCRYPTED PRIVATE KEY-----") || text.contains("Proc-Type: 4,ENCRYPTED")
    }

    private static func fault(_ code: Int32, _ path: String) -> NetworkError {
        let advice =
            switch code {
            case ENOENT, ENOTDIR: "Check the path of the PEM file."
            case EACCES, EPERM: "Allow this user to read the file."
            default: "Give the path of a PEM file."
            }
        var error = NetworkError(.fileSystem, underlying: POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO))
        error.file = FileFault(path: path, advice: advice)
        return error
    }
}
