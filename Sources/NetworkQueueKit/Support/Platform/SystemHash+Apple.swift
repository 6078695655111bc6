#if canImport(CryptoKit)
    import CryptoKit

    /// A hash by CryptoKit.
    struct SystemHash: StreamHash, @unchecked Sendable {  // CryptoKit's hashes are values
        private var hash: any HashFunction

        init?(_ algorithm: HashAlgorithm) {
            hash =
                switch algorithm {
                case .md5: Insecure.MD5()
                case .sha1: Insecure.SHA1()
                case .sha256: SHA256()
                case .sha512: SHA512()
                }
        }

        mutating func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

        func finish() -> [UInt8] {
            func bytes(_ hash: some HashFunction) -> [UInt8] { Array(hash.finalize()) }
            return bytes(hash)
        }
    }
#elseif !os(Linux)
    /// A hash of an unknown system.
    struct SystemHash: StreamHash {
        init?(_ algorithm: HashAlgorithm) { return nil }
        func update(_ bytes: UnsafeRawBufferPointer) {}
        func finish() -> [UInt8] { [] }
    }
#endif
