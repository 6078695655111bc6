import Foundation

/// A certificate with which a client proves to servers who it is (mutual TLS), and the key to it, as files.
///
/// The files are read for each connection: one that is replaced counts for the connections after that.
public struct ClientCertificate: Sendable, Hashable {
    /// A PEM file with the certificate and, behind it, those that lead to its authority.
    public var certificateFile: URL
    /// A PEM file with the certificate's private key. It may be the same file.
    public var keyFile: URL
    /// What the key is encrypted with; `nil` when it is not encrypted. It is in no description.
    public var password: String? {
        get { secretPassword?.value }
        set { secretPassword = newValue.map { Secret($0) } }
    }
    private var secretPassword: Secret<String>?

    /// Creates the value. Nothing is read yet.
    ///
    /// - Parameters:
    ///   - certificateFile: a PEM file with the certificate.
    ///   - keyFile: a PEM file with its key; `nil`, the default, means that it is in `certificateFile`, too.
    ///   - password: what the key is encrypted with, if it is.
    public init(certificateFile: URL, keyFile: URL? = nil, password: String? = nil) {
        self.certificateFile = certificateFile
        self.keyFile = keyFile ?? certificateFile
        self.password = password
    }
}
