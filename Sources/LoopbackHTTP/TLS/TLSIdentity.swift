import Foundation

extension LoopbackServer {
    /// A new key with a self-signed certificate for `127.0.0.1` and `localhost`, which a server shows to its clients.
    ///
    /// ```swift
    /// let identity = try LoopbackServer.TLSIdentity()
    /// let server = try LoopbackServer(tls: identity, fallback: .text("hello"))
    /// var configuration = TransportConfiguration()
    /// configuration.trustedCertificatesFile = identity.certificateFile
    /// configuration.pinnedPublicKeys = [identity.publicKeyPin]
    /// let queue = RequestQueue(transport: try DefaultTransport.make(configuration))
    /// let data = try await queue.data(for: server.url)
    /// ```
    ///
    /// A client that does not trust the certificate fails, as with any self-signed certificate. The certificate is valid
    /// for a day. It needs OpenSSL 3 or 1.1, which is loaded when the first identity is created, and Linux.
    public final class TLSIdentity: Sendable {
        /// A PEM file with the certificate. It is removed with the identity.
        public let certificateFile: URL
        /// The certificate as PEM text.
        public let certificatePEM: String
        /// The hash of the public key, `sha256//…`, as curl writes it.
        public let publicKeyPin: String
        let context: TLSContext

        /// Creates a key and its certificate.
        ///
        /// - Throws: ``TLSUnavailable``, or an error from writing ``certificateFile`` into the temporary folder.
        public init() throws {
            context = try TLSContext(OpenSSL.load())
            certificatePEM = context.certificate
            publicKeyPin = "sha256//" + context.publicKeyHash.base64EncodedString()
            certificateFile = FileManager.default.temporaryDirectory
                .appending(component: "LoopbackHTTP-\(UUID().uuidString).pem")
            try Data(certificatePEM.utf8).write(to: certificateFile)
        }

        deinit {
            try? FileManager.default.removeItem(at: certificateFile)
        }
    }

    /// The error of a server that cannot speak TLS on this machine.
    public struct TLSUnavailable: LocalizedError, CustomStringConvertible {
        let reason: String

        /// What is missing.
        public var description: String { reason }
        /// What is missing.
        public var errorDescription: String? { reason }
    }
}

/// A key and its certificate, from which the sessions of a server are made.
final class TLSContext: @unchecked Sendable {  // OpenSSL locks a context, and nothing changes after `init`.
    let library: OpenSSL
    let certificate: String
    /// The SHA-256 of the public key in DER.
    let publicKeyHash: Data
    private let context: OpenSSL.Object

    init(_ library: OpenSSL) throws {
        self.library = library
        let key = try library.makePrivateKey()
        defer { library.freeKey(key) }
        let certificate = try library.makeCertificate(for: key)
        defer { library.freeCertificate(certificate) }
        guard let context = library.makeContext(library.serverMethod()) else { throw OpenSSL.failure }
        guard library.useCertificate(context, certificate) == 1, library.usePrivateKey(context, key) == 1 else {
            library.freeContext(context)
            throw OpenSSL.failure
        }
        self.context = context
        self.certificate = library.text(of: certificate)
        publicKeyHash = library.publicKeyHash(of: key)
    }

    deinit { library.freeContext(context) }

    /// Makes a session for a connection.
    func makeSession() -> OpenSSL.Object? { library.makeSession(context) }
}

extension OpenSSL {
    fileprivate static var failure: LoopbackServer.TLSUnavailable {
        LoopbackServer.TLSUnavailable(reason: "OpenSSL could not make a key or a certificate.")
    }

    fileprivate func makePrivateKey() throws -> Object {
        // The number of the curve P-256 in <openssl/obj_mac.h>.
        let curveKey = makeCurveKey(415)
        defer { freeCurveKey(curveKey) }
        guard generateCurveKey(curveKey) == 1, let key = makeKey() else { throw Self.failure }
        guard setCurveKey(key, curveKey) == 1 else {
            freeKey(key)
            throw Self.failure
        }
        return key
    }

    fileprivate func makeCertificate(for key: Object) throws -> Object {
        guard let certificate = makeCertificate() else { throw Self.failure }
        // 2 stands for version 3. A client that remembers certificates refuses the same serial number twice.
        var steps = [setVersion(certificate, 2), setInteger(serialNumber(certificate), .random(in: 1 ... .max))]
        _ = setTime(startOfValidity(certificate), -3600)
        _ = setTime(endOfValidity(certificate), 24 * 3600)
        let name = subject(certificate)
        // 0x1001 is MBSTRING_ASC.
        steps += [
            addName(name, "CN", 0x1001, "LoopbackServer", -1, -1, 0), setIssuer(certificate, name),
            setPublicKey(certificate, key),
        ]
        // The numbers of `subjectAltName` and `basicConstraints` in <openssl/obj_mac.h>.
        for (number, value) in [(Int32(85), "IP:127.0.0.1,DNS:localhost"), (87, "critical,CA:TRUE")] {
            let part = makeExtension(nil, nil, number, value)
            steps.append(part == nil ? 0 : addExtension(certificate, part, -1))
            freeExtension(part)
        }
        // Returns the length of the signature.
        steps.append(min(sign(certificate, key, sha256Digest()), 1))
        guard steps.allSatisfy({ $0 == 1 }) else {
            freeCertificate(certificate)
            throw Self.failure
        }
        return certificate
    }

    fileprivate func text(of certificate: Object) -> String {
        let buffer = makeBuffer(memoryMethod())
        defer { _ = freeBuffer(buffer) }
        _ = writeCertificate(buffer, certificate)
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        let count = bytes.withUnsafeMutableBytes { readBuffer(buffer, $0.baseAddress, Int32($0.count)) }
        return String(decoding: bytes.prefix(max(0, Int(count))), as: UTF8.self)
    }

    fileprivate func publicKeyHash(of key: Object) -> Data {
        var encoded = [UInt8](repeating: 0, count: max(0, Int(encodePublicKey(key, nil))))
        encoded.withUnsafeMutableBufferPointer { buffer in
            // The function advances the pointer.
            var end = buffer.baseAddress
            _ = encodePublicKey(key, &end)
        }
        var hash = [UInt8](repeating: 0, count: 32)
        _ = sha256(encoded, encoded.count, &hash)
        return Data(hash)
    }
}
