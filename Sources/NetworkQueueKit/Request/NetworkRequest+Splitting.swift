extension NetworkRequest {
    /// A rule for downloading one file with several concurrent exchanges.
    ///
    /// When a slot of the queue is free and no request waits for it, it takes over the second half of the largest
    /// remaining range of a running download. So the queue's limits, including those per host, still apply, and a
    /// request added later gets the next free slot. The download remains one request with one start, one head and one
    /// end. Only monitors see its parts, each as an attempt with an operation ID of its own, and ``NetworkActivity``
    /// counts each.
    ///
    /// If the request has an `expectedChecksum`, free slots instead take pieces of 64 MiB, or of `minPartSize` if that is
    /// more, from the beginning of the file on, and only its end is halved. The file is hashed while it arrives, so that
    /// little is left to read after the last byte. Each piece costs a request.
    ///
    /// A download is split if its file can be resumed and if the server has sent the size, supports byte ranges,
    /// provides a validator that can be used with ranges, and uses HTTP/1: parts that share one connection would gain
    /// nothing. Content that may be compressed, files on file systems without locks, and downloads from a mirror are
    /// not split, nor are operations outside this library's queues.
    ///
    /// Redirects of a part follow the queue's policy, without asking handlers or the delegate. Each part is validated
    /// like a resumed download. If a part fails, the others take over its range. If the server answers 429 or 503 to a
    /// part, the download uses only as many exchanges at once as the server still served then. If it answers with
    /// anything else, the download continues without further parts.
    public struct Splitting: Sendable, Hashable, Codable {
        /// The maximum number of concurrent exchanges per file. Values below 2 disable splitting.
        public var maxParts: Int
        /// The minimum size of a part, in bytes. A remainder is split only if it is at least twice this size, or if its
        /// exchange is slow: the remainder has at least 32 KiB, and at the speed so far it would take longer than a
        /// second and than two new requests until their first bytes.
        public var minPartSize: Int64

        /// Creates a rule. By default there are up to 8 parts of at least 1 MiB.
        public init(maxParts: Int = 8, minPartSize: Int64 = 1 << 20) {
            self.maxParts = maxParts
            self.minPartSize = max(minPartSize, 1)
        }
    }
}
