import Foundation

/// A file of certificates or keys as TLS libraries read them (RFC 7468), as far as it can be judged without one.
struct PEMFile {
    let path: String
    private let text: String

    /// More is not read: a collection of all authorities has 300 KB.
    private static let largestSize = 16 * 1024 * 1024

    /// Reads a file.
    ///
    /// - Throws: ``NetworkError/Code/fileSystem``, with the path.
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

    /// Whether there is a certificate in it, also in the form that OpenSSL alone has (`TRUSTED CERTIFICATE`).
    var hasCertificate: Bool {
        ["CERTIFICATE", "TRUSTED CERTIFICATE", "X509 CERTIFICATE"].contains { text.contains("-----BEGIN \($0)-----") }
    }

    /// Whether there is a private key in it, of whatever kind.
    var hasKey: Bool { text.contains(/-----BEGIN ([A-Z0-9]+ )*PRIVATE KEY-----/) }

    /// Whether a private key in it is encrypted, in the form of PKCS #8 or in that of older programs.
    var hasEncryptedKey: Bool {
        text.contains("-----BEGIN ENCRYPTED PRIVATE KEY-----") || text.contains("Proc-Type: 4,ENCRYPTED")
    }

    private static func fault(_ code: Int32, _ path: String) -> NetworkError {
        let advice =
            switch code {
            case ENOENT, ENOTDIR: "Check the path of the PEM file in the transport’s configuration."
            case EACCES, EPERM: "Allow this user to read it."
            default: "Give the path of a PEM file in the transport’s configuration."
            }
        var error = NetworkError(.fileSystem, underlying: POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO))
        error.file = FileFault(path: path, advice: advice)
        return error
    }
}
