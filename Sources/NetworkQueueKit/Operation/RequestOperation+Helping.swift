/// Operations that fetch shares of another operation's download, in slots that nothing else waits for.
extension RequestOperation: SplitHelper {
    /// Whether the operation is the library's own: it is in the queue, but not a request of the user.
    var isAuxiliary: Bool { request.isSizeProbe || helped != nil }

    func makeHelper(of split: SplitDownload) -> (any SplitHelper)? {
        // A helper sends requests to the request's own URL only, so not at a mirror.
        let isPossible = state.withLock { $0.home.isQueue && $0.handlers?.mirror == nil }
        guard isPossible else { return nil }
        let helper = RequestOperation(request.forHelping, helping: split)
        if let freshURLAnswer { helper.note(freshURLAnswer) }
        return helper
    }

    func requestSlot(for helper: any SplitHelper) {
        if let helper = helper as? RequestOperation { queue?.add(helper, for: self) }
    }
}

extension NetworkRequest {
    /// A copy without the settings that apply to the download as a whole.
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
