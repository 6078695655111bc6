/// What a run does where a file may be current that is there already.
extension RequestRun {
    /// Decides what becomes of the file, by its checksum, and by what a HEAD has told.
    ///
    /// - Parameter send: goes on with the attempt, where the server has to be asked.
    func judge(
        _ file: ExistingFile, after wait: DescriptorWait? = nil, orElse send: @escaping @Sendable () -> Void
    ) {
        guard let check = ContentCheck(request) else { return judge(file, isSound: true, orElse: send) }
        // It may take as long as reading the file does.
        pause { step in
            FileSink.queue.async { [self] in
                let outcome = Result { () throws(NetworkError) in try file.verify(check) }
                guard takesAnswer(step) else { return }
                if case .failure(let error) = outcome, error.isDescriptorShortage {
                    return awaitDescriptor(wait, orFailWith: error) { [self] in judge(file, after: $0, orElse: send) }
                }
                let isSound = if case .success = outcome { true } else { false }
                judge(file, isSound: isSound, orElse: send)
            }
            return nil
        }
    }

    private func judge(_ file: ExistingFile, isSound: Bool, orElse send: () -> Void) {
        let head = sizedHead?.value
        switch isSound ? head.flatMap(file.isCurrent) : false {
        case true?:
            if let head { keep(file, head) }
        case false?:
            if request.destination.keepsStaleFile { return fail(AttemptFailure(error: .isStale(file.path))) }
            send()
        case nil:
            cells.owned.attempt.target.keepIfCurrent(file)
            send()
        }
    }

    /// Ends the request with the file that is there.
    private func keep(_ file: ExistingFile, _ head: ResponseHead) {
        cells.owned.attempt.bytesReceived = file.size
        cells.owned.attempt.bytesResumed = file.size
        cells.owned.attempt.expectedLength = file.size
        delegate.requestDid(.willReceive(head, resumed: file.size, length: 0))
        didDeliver(.success(DeliveredContent(fileURL: file.url, isKept: true)), head)
    }
}

extension Destination {
    /// Whether a file that is not what the server has stays, and fails the request.
    var keepsStaleFile: Bool {
        if case .file(_, onConflict: .keepIfCurrent(otherwise: .fail), resume: _) = self { true } else { false }
    }
}
