#if os(Linux)
    import Foundation

    /// A hash by OpenSSL's libcrypto.
    final class SystemHash: StreamHash, @unchecked Sendable {  // like any hash, it has one user at a time
        private let library: LibCrypto
        private let context: OpaquePointer

        /// Fails if libcrypto cannot be loaded or refuses the algorithm, as it refuses MD5 in its FIPS mode.
        init?(_ algorithm: HashAlgorithm) {
            guard let library = LibCrypto.loaded, let method = library.methods[algorithm],
                let context = library.makeContext()
            else { return nil }
            self.library = library
            self.context = context
            guard library.start(context, method, nil) == 1 else { return nil }
        }

        deinit { library.freeContext(context) }

        func update(_ bytes: UnsafeRawBufferPointer) {
            _ = library.update(context, bytes.baseAddress, bytes.count)
        }

        func finish() -> [UInt8] {
            let maximumLength = 64
            return Array(unsafeUninitializedCapacity: maximumLength) { digest, count in
                var length: UInt32 = 0
                _ = library.finish(context, digest.baseAddress, &length)
                count = Int(length)
            }
        }
    }

    /// The functions of libcrypto that a hash needs, loaded when the first hash is made.
    private struct LibCrypto: @unchecked Sendable {  // OpenSSL never changes its methods
        private struct Missing: Error {}
        private typealias Name = UnsafePointer<CChar>

        let makeContext: @convention(c) () -> OpaquePointer?
        let freeContext: @convention(c) (OpaquePointer?) -> Void
        let start: @convention(c) (OpaquePointer?, OpaquePointer?, OpaquePointer?) -> Int32
        let update: @convention(c) (OpaquePointer?, UnsafeRawPointer?, Int) -> Int32
        let finish:
            @convention(c) (OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt32>?) -> Int32
        private(set) var methods: [HashAlgorithm: OpaquePointer] = [:]

        static let loaded = try? LibCrypto()

        /// Opens the libcrypto of the process, if it has one: a second one would call functions of the first, because
        /// the names are the same, and crash. Never closed, because its functions stay in use until the process ends.
        private static func open() -> UnsafeMutableRawPointer? {
            if let process = dlopen(nil, RTLD_NOW), dlsym(process, "EVP_DigestInit_ex") != nil { return process }
            return dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL) ?? dlopen("libcrypto.so.1.1", RTLD_NOW | RTLD_LOCAL)
        }

        private init() throws {
            guard let library = Self.open() else { throw Missing() }
            func function<Function>(_ name: String) throws -> Function {
                guard let symbol = dlsym(library, name) else { throw Missing() }
                // The types above are those of the C declarations.
                return unsafeBitCast(symbol, to: Function.self)
            }
            makeContext = try function("EVP_MD_CTX_new")
            freeContext = try function("EVP_MD_CTX_free")
            start = try function("EVP_DigestInit_ex")
            update = try function("EVP_DigestUpdate")
            finish = try function("EVP_DigestFinal_ex")
            // Version 3 looks a method up for every hash that does not start with a fetched one, which takes longer
            // than to hash a short text. Version 1.1 has no such function.
            let fetch: (@convention(c) (OpaquePointer?, Name?, Name?) -> OpaquePointer?)? = try? function(
                "EVP_MD_fetch")
            let find: @convention(c) (Name?) -> OpaquePointer? = try function("EVP_get_digestbyname")
            for algorithm in HashAlgorithm.allCases {
                let name = algorithm.rawValue
                methods[algorithm] = if let fetch { fetch(nil, name, nil) } else { find(name) }
            }
        }
    }
#endif
