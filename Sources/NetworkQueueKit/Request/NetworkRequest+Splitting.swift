extension NetworkRequest {
    /// How a download into a file is fetched by several exchanges at a time.
    ///
    /// A slot of the queue that nothing waits for takes the second half of the largest remainder of a download that runs.
    /// So no more exchanges run than the queue's limits allow, also those per host, and a request that comes to wait gets
    /// the next slot. The download stays one request: one start, one head, one end; its parts are told of to monitors
    /// alone, each as an attempt with an operation number of its own.
    ///
    /// A download is split if its file may be resumed, its server has shown the size, byte ranges and a validator that may
    /// be used with ranges, and answers over HTTP/1: parts over one shared connection would gain nothing. Not split are
    /// content that may be compressed, files on file systems without locks, and what comes from a mirror. An operation that is in no queue of this
    /// library is never split.
    ///
    /// A redirect of a part is followed by the queue's policy, without asking anybody. Each part is checked as a resumed download is. One that fails is left to the others; where a server answers a part
    /// with anything but that part, or refuses it, the download goes on without new ones.
    public struct Splitting: Sendable, Hashable, Codable {
        /// How many exchanges fetch one file at a time, at most. Less than 2 means that it is not split.
        public var maxParts: Int
        /// The smallest part, in bytes: what is left of an exchange is split in two if it is at least twice as much.
        public var minPartSize: Int64

        /// Creates a rule. Default: up to 8 parts of 1 MiB or more.
        public init(maxParts: Int = 8, minPartSize: Int64 = 1 << 20) {
            self.maxParts = maxParts
            self.minPartSize = max(minPartSize, 1)
        }
    }
}
