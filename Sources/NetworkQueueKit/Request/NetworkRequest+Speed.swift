extension NetworkRequest {
    /// The minimum speed of the content in bytes per second; `nil`, the default, means that of the queue
    /// (``RequestQueueing/minBytesPerSecond``), and 0 means none. Negative values are treated as 0.
    ///
    /// An attempt that is slower over ``RequestQueueing/minSpeedInterval`` fails with
    /// ``NetworkError/Code-swift.enum/timedOut`` and is retried as the policy says, on the same URL. Time counts from
    /// the first to the last byte, sent or received, of the whole file if it is split. Not counted are pauses, the
    /// limits of the queue, a sink or stream that holds the server back, and waiting for a response, also for the one to
    /// content that was sent.
    ///
    /// With ``mirrors``, the next mirror goes on instead, if less than 1 MiB has arrived or an ``expectedChecksum``
    /// allows to keep what has. Once each URL has been too slow or has failed, the fastest of the slow ones goes on
    /// without a minimum.
    public var minBytesPerSecond: Int? {
        get { extras.value.minBytesPerSecond }
        set { extras.value.minBytesPerSecond = newValue.map { max($0, 0) } }
    }
}
