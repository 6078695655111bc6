import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The functions of libssl and libcrypto that a server needs, loaded when the first one is needed.
struct OpenSSL: Sendable {
    /// A structure that belongs to OpenSSL.
    typealias Object = UnsafeMutableRawPointer
    typealias Get = @convention(c) () -> Object?
    typealias Make = @convention(c) (Object?) -> Object?
    typealias Free = @convention(c) (Object?) -> Void
    typealias Set = @convention(c) (Object?, Object?) -> Int32
    typealias SetNumber = @convention(c) (Object?, Int) -> Int32

    // Connections
    let serverMethod: Get
    let makeContext: Make
    let freeContext: Free
    let useCertificate: Set
    let usePrivateKey: Set
    let makeSession: Make
    let freeSession: Free
    let setDescriptor: @convention(c) (Object?, Int32) -> Int32
    let accept: @convention(c) (Object?) -> Int32
    let shutDown: @convention(c) (Object?) -> Int32
    let read: @convention(c) (Object?, UnsafeMutableRawPointer?, Int32) -> Int32
    let write: @convention(c) (Object?, UnsafeRawPointer?, Int32) -> Int32

    // Keys
    let makeCurveKey: @convention(c) (Int32) -> Object?
    let generateCurveKey: @convention(c) (Object?) -> Int32
    let freeCurveKey: Free
    let makeKey: Get
    let setCurveKey: Set
    let freeKey: Free
    let encodePublicKey: @convention(c) (Object?, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
    let sha256: @convention(c) (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>?) -> Object?

    // Certificates
    let makeCertificate: Get
    let freeCertificate: Free
    let setVersion: SetNumber
    let serialNumber: Make
    let setInteger: SetNumber
    let startOfValidity: Make
    let endOfValidity: Make
    let setTime: @convention(c) (Object?, Int) -> Object?
    let setPublicKey: Set
    let subject: Make
    let addName:
        @convention(c) (
            Object?, UnsafePointer<CChar>?, Int32, UnsafePointer<CChar>?, Int32, Int32, Int32
        ) -> Int32
    let setIssuer: Set
    let makeExtension: @convention(c) (Object?, Object?, Int32, UnsafePointer<CChar>?) -> Object?
    let addExtension: @convention(c) (Object?, Object?, Int32) -> Int32
    let freeExtension: Free
    let sha256Digest: Get
    let sign: @convention(c) (Object?, Object?, Object?) -> Int32

    // Text
    let memoryMethod: Get
    let makeBuffer: Make
    let readBuffer: @convention(c) (Object?, UnsafeMutableRawPointer?, Int32) -> Int32
    let freeBuffer: @convention(c) (Object?) -> Int32
    let writeCertificate: Set

    private static let loaded = Result { try OpenSSL() }

    /// The functions.
    ///
    /// - Throws: ``LoopbackServer/TLSUnavailable``.
    static func load() throws -> OpenSSL { try loaded.get() }

    private init() throws {
        #if os(Linux)
            // Version 3 and 1.1 have all these functions.
            let names = ["libssl.so.3", "libssl.so.1.1"]
        #else
            let names: [String] = []
        #endif
        // Never closed: its functions stay in use until the process ends.
        guard let library = names.lazy.compactMap({ dlopen($0, RTLD_NOW) }).first else {
            throw LoopbackServer.TLSUnavailable(
                reason: names.isEmpty
                    ? "LoopbackServer supports TLS only on Linux."
                    : "LoopbackServer needs OpenSSL for TLS, but could load neither \(names[0]) nor \(names[1]).")
        }
        /// Looks also in libcrypto, which libssl needs.
        func function<Function>(_ name: String) throws -> Function {
            guard let symbol = dlsym(library, name) else {
                throw LoopbackServer.TLSUnavailable(reason: "The OpenSSL on this machine lacks the function \(name).")
            }
            // The types above are those of the C declarations.
            return unsafeBitCast(symbol, to: Function.self)
        }
        serverMethod = try function("TLS_server_method")
        makeContext = try function("SSL_CTX_new")
        freeContext = try function("SSL_CTX_free")
        useCertificate = try function("SSL_CTX_use_certificate")
        usePrivateKey = try function("SSL_CTX_use_PrivateKey")
        makeSession = try function("SSL_new")
        freeSession = try function("SSL_free")
        setDescriptor = try function("SSL_set_fd")
        accept = try function("SSL_accept")
        shutDown = try function("SSL_shutdown")
        read = try function("SSL_read")
        write = try function("SSL_write")
        makeCurveKey = try function("EC_KEY_new_by_curve_name")
        generateCurveKey = try function("EC_KEY_generate_key")
        freeCurveKey = try function("EC_KEY_free")
        makeKey = try function("EVP_PKEY_new")
        setCurveKey = try function("EVP_PKEY_set1_EC_KEY")
        freeKey = try function("EVP_PKEY_free")
        encodePublicKey = try function("i2d_PUBKEY")
        sha256 = try function("SHA256")
        makeCertificate = try function("X509_new")
        freeCertificate = try function("X509_free")
        setVersion = try function("X509_set_version")
        serialNumber = try function("X509_get_serialNumber")
        setInteger = try function("ASN1_INTEGER_set")
        startOfValidity = try function("X509_getm_notBefore")
        endOfValidity = try function("X509_getm_notAfter")
        setTime = try function("X509_gmtime_adj")
        setPublicKey = try function("X509_set_pubkey")
        subject = try function("X509_get_subject_name")
        addName = try function("X509_NAME_add_entry_by_txt")
        setIssuer = try function("X509_set_issuer_name")
        makeExtension = try function("X509V3_EXT_conf_nid")
        addExtension = try function("X509_add_ext")
        freeExtension = try function("X509_EXTENSION_free")
        sha256Digest = try function("EVP_sha256")
        sign = try function("X509_sign")
        memoryMethod = try function("BIO_s_mem")
        makeBuffer = try function("BIO_new")
        readBuffer = try function("BIO_read")
        freeBuffer = try function("BIO_free")
        writeCertificate = try function("PEM_write_bio_X509")
    }
}
