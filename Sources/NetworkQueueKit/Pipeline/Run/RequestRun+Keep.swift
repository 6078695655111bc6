import Foundation

/// Handles an existing file that may be current.
extension RequestRun {
    /// Decides whether to keep the file, by its checksum or else by the response to a HEAD.
    ///
    /// - Parameter send: continues the attempt if the server must be asked.
    func judge(_ file: ExistingFile, orElse send: @escaping @Sendable () -> Void) {
        guard request.expectedChecksum != nil, let check = ContentCheck(request) else {
            if request.keepsFileUnasked { return end(with: file, .notModified(request.url)) }
            return compare(file, orElse: send)
        }
        // Hashing takes as long as reading the file.
        pause { step in
            FileSink.queue.async { [self] in
                let outcome = Result { () throws(NetworkError) in try file.verify(check) { !isStopWanted } }
                guard takesAnswer(step) else { return }
                switch outcome {
                // Another operation may have replaced the file in the meantime.
                case .success where attempt.target.stored.contains(file.path): send()
                case .success: keep(file, sizedHead ?? .notModified(request.url))
                case .failure(let error) where error.isCancellation: stopForPause()
                // A shortage says nothing about the file, which may be current.
                case .failure(let error) where error.code == .resourceShortage:
                    fail(AttemptFailure(error: error))
                case .failure where request.destination.keepsStaleFile && file.size > 0:
                    fail(AttemptFailure(error: .isStale(file.path)))
                case .failure:
                    if file.size == 0 { attempt.target.note(file) }
                    send()
                }
            }
            return nil
        }
    }

    /// Compares the file with the response to a HEAD. If that says too little, the response to the GET decides.
    private func compare(_ file: ExistingFile, orElse send: () -> Void) {
        // An empty file may be what a cut of power has left, so only the head of the content shows that it is current.
        if file.size == 0, sizedHead.map({ file.comparison(with: $0, isWhole: true) }) != .hasOtherDate {
            attempt.target.note(file)
            return send()
        }
        // A file of another size than the caller expects is not current, whatever the server says.
        guard file.size == request.expectedDownloadSize ?? file.size else { return send() }
        let comparison = sizedHead.map { file.comparison(with: $0, isWhole: true) } ?? .unknown
        switch comparison {
        case .same: if let sizedHead { return keep(file, sizedHead) }
        case .hasOtherDate:
            if request.destination.keepsStaleFile { return fail(AttemptFailure(error: .isStale(file.path))) }
        case .hasOtherSize, .unknown:
            attempt.target.keepIfCurrent(file, asksForNewer: comparison == .unknown)
        }
        send()
    }

    /// Publishes a part without an exchange if a HEAD shows that it is complete; returns whether it did.
    func finishesPart(accordingTo head: ResponseHead, _ exchange: HTTPExchange) throws(NetworkError) -> Bool {
        guard let whole = try attempt.target.openWholePart(accordingTo: head, exchange, request) else {
            return false
        }
        attempt.exchange = exchange
        attempt.response = .accepted(head, whole.sink)
        attempt.bytesReceived = whole.offset
        attempt.bytesResumed = whole.offset
        attempt.expectedLength = whole.offset
        delegate.requestDid(.willReceive(head, resumed: whole.offset, length: 0))
        complete(nil)
        return true
    }

    /// Ends the request with the existing file, which is current.
    private func keep(_ file: ExistingFile, _ head: ResponseHead) {
        attempt.target.removePart()
        end(with: file, head)
    }

    /// Ends the request with the existing file.
    private func end(with file: ExistingFile, _ head: ResponseHead) {
        attempt.bytesReceived = file.size
        attempt.bytesResumed = file.size
        attempt.expectedLength = file.size
        delegate.requestDid(.willReceive(head, resumed: file.size, length: 0))
        didDeliver(.success(StoredContent(fileURL: file.url, isKept: true)), head)
    }
}

extension Destination {
    /// Whether an outdated file stays and fails the request.
    var keepsStaleFile: Bool {
        if case .file(_, onConflict: .keepIfCurrent(otherwise: .fail), resumes: _) = self { true } else { false }
    }
}

extension ResponseHead {
    /// A stand-in for the response if a file is kept without a request.
    fileprivate static func notModified(_ url: URL) -> ResponseHead {
        ResponseHead(statusCode: 304, headers: HTTPHeaders(), url: url.withoutUserInformation)
    }
}
