/// Operations that fetch shares of another one's download, in slots that nothing else waits for.
extension RequestOperation: SplitHelper {
    /// Whether the library asks by it for itself: it is in the queue, and no request of the user's.
    var isAuxiliary: Bool { request.isSizeProbe || helped != nil }

    func makeHelper(of split: SplitDownload) -> (any SplitHelper)? {
        // A helper asks the request's own URL, and no other server.
        let isPossible = state.withLock { $0.home.isQueue && $0.handlers?.mirror == nil }
        return isPossible ? RequestOperation(request.forHelping, helping: split) : nil
    }

    func requestSlot(for helper: any SplitHelper) {
        if let helper = helper as? RequestOperation { queue?.add(helper, for: self) }
    }
}

extension NetworkRequest {
    /// The same without what concerns the download as a whole.
    fileprivate var forHelping: NetworkRequest {
        var request = self
        request.destination = .discard
        request.splitting = nil
        request.mirrors = []
        request.totalTimeout = nil
        request.expectedDownloadSize = nil
        request.expectedChecksum = nil
        request.usesSuggestedFileName = false
        request.retryDecider = nil
        request.processors = []
        return request
    }
}
