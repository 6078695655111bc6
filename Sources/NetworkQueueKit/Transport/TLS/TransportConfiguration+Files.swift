import Foundation

extension TransportConfiguration {
    /// Reads the files that are named, and the values that make no sense with any transport.
    ///
    /// - Throws: ``NetworkError/Code/fileSystem`` for a file that cannot be read, and
    ///   ``NetworkError/Code/unsupportedConfiguration`` for what is not what it should be.
    func check() throws(NetworkError) {
        if let count = maxConnections, count < 1 {
            throw .unsupported("maxConnections is \(count), and at least one connection is needed.")
        }
        if let file = trustedCertificatesFile, try !PEMFile(file).hasCertificate {
            throw .unsupported(
                "“\(file.path)”, the trustedCertificatesFile, has no certificate in it. It has to be in the form of PEM."
            )
        }
        if let fault = try clientCertificate?.fault { throw .unsupported(fault) }
    }
}

extension ClientCertificate {
    /// What is wrong with the files, as sentences; `nil` when that cannot be told before they are used. Whether key and certificate
    /// belong together is for the TLS library to say.
    var fault: String? {
        get throws(NetworkError) {
            guard try PEMFile(certificateFile).hasCertificate else {
                return "“\(certificateFile.path)”, the client certificate, has no certificate in it. "
                    + "It has to be in the form of PEM."
            }
            let key = try PEMFile(keyFile)
            guard key.hasKey else {
                return "“\(key.path)”, the key of the client certificate, has no private key in it. "
                    + "It has to be in the form of PEM."
            }
            guard password != nil || !key.hasEncryptedKey else {
                return
                    "“\(key.path)”, the key of the client certificate, is encrypted, and no password is given for it."
            }
            return nil
        }
    }

    /// Why a TLS library does not take it, as a sentence.
    var refusalReason: String {
        do {
            if let fault = try fault { return fault }
            return try PEMFile(keyFile).hasEncryptedKey
                ? "The password of the client certificate’s key, “\(keyFile.path)”, is wrong, or the key does not belong "
                    + "to the certificate “\(certificateFile.path)”."
                : "The key “\(keyFile.path)” does not belong to the client certificate “\(certificateFile.path)”, or one of "
                    + "them is damaged."
        } catch {
            let reason = (error.underlying as? POSIXError).map { String(cString: strerror($0.code.rawValue)) }
            return "“\(error.file?.path ?? "")”, of the client certificate, cannot be read: \(reason ?? "unknown")."
        }
    }
}
