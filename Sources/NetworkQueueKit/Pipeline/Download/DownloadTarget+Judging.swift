import Foundation

/// Judges the heads of responses.
extension DownloadTarget {
    /// Judges the head of a response to `exchange` that is not a redirect.
    func judge(
        _ head: ResponseHead, of exchange: HTTPExchange, for request: NetworkRequest
    ) -> HeadMeaning {
        if help != nil { return judgeShare(head) }
        if head.statusCode == 304 { return judgeNotModified(head, of: exchange, for: request) }
        if split == nil, keepsFile(accordingTo: head, for: request) { return .complete }
        if scope == .all, split == nil { return judgeAll(head, of: exchange) }
        guard let point else { return judgeWhole(head, of: exchange) }
        if isRefusal(head) {
            return .refuse(.badResponse("The server sent another part of the content than the requested one."))
        }
        switch head.statusCode {
        case 200..<300 where point.isContinued(by: head):
            isContinuing = true
            self.point?.noteExtent(of: head)
            if let split, let share = splitSink?.share { self.point?.shorten(share, of: split) }
            return .take
        case 204, 205, 206:
            return startOver(exchange)
        case 200..<300 where head.isPartial || point.mayBeSlice(head):
            return startOver(exchange)
        case 416 where point.isCompleted(by: head):
            isContinuing = true
            self.point?.takeAll()
            return .complete
        case 416:
            return startOver(exchange)
        case 412 where !exchange.headers.contains("If-Match"):
            return startOver(exchange)
        default:
            return .take
        }
    }

    /// Returns an exchange for all of the content, without the library's own conditions.
    private func startOver(_ exchange: HTTPExchange) -> HeadMeaning {
        var whole = exchange
        point?.removeRangeFields(from: &whole)
        endSplit()
        point = nil
        if asksForNewer { whole.headers.removeAll(named: "If-Modified-Since") }
        asksForNewer = false
        return .startOver(whole)
    }

    /// Judges a 304, which is valid only for a conditional request (RFC 9110, section 15.4.5).
    private func judgeNotModified(
        _ head: ResponseHead, of exchange: HTTPExchange, for request: NetworkRequest
    ) -> HeadMeaning {
        if asksForNewer, let existing, !stored.contains(existing.path) {
            switch existing.comparison(with: head, isWhole: false) {
            case .same, .unknown:
                isKeeping = true
                return .take
            case .hasOtherDate, .hasOtherSize: break
            }
        }
        // WEBrick 1.8 answers 304 to a range request whose `If-Range` matches.
        if asksForNewer || point != nil { return startOver(exchange) }
        let isAsked = exchange.headers.contains("If-None-Match") || exchange.headers.contains("If-Modified-Since")
        return isAsked || request.isSizeProbe ? .take : .reject(NetworkError(.httpStatus(304)))
    }

    /// Judges a response to an exchange for which the library asked for no range.
    private func judgeWhole(_ head: ResponseHead, of exchange: HTTPExchange) -> HeadMeaning {
        guard head.isPartial, !exchange.headers.contains("Range"), exchange.method != "HEAD" else { return .take }
        return .refuse(.badResponse("The server sent only a part of the content, although no part was requested."))
    }

    /// Judges a response with all of the content, of which only the missing bytes will be stored.
    private func judgeAll(_ head: ResponseHead, of exchange: HTTPExchange) -> HeadMeaning {
        if point?.isContained(in: head) == true {
            isContinuing = true
            point?.noteAll()
            return .take
        }
        return judgeWhole(head, of: exchange)
    }

    /// Settles the file name from an accepted head and returns whether the file of that name is current. If so, it is
    /// kept and the content is not needed.
    private func keepsFile(accordingTo head: ResponseHead, for request: NetworkRequest) -> Bool {
        if request.usesSuggestedFileName {
            settleName(by: head, for: request)
            if existing == nil, let file = existingFile(for: request) {
                // Hashing would block the transport's thread too long, so the content is fetched and compared instead.
                if request.expectedChecksum == nil { existing = file } else { keepsTwin = true }
            }
        }
        // Another operation may have replaced the file in the meantime.
        guard let existing, request.expectedChecksum == nil,
            existing.size == request.expectedDownloadSize ?? existing.size,
            existing.comparison(with: asWhole(head), isWhole: true) == .same, !stored.contains(existing.path)
        else { return false }
        isKeeping = true
        return true
    }

    /// The head of a response with the rest of the stored bytes, as that of the whole content would be. Others stay as
    /// they are.
    private func asWhole(_ head: ResponseHead) -> ResponseHead {
        guard let point, point.isContinued(by: head),
            case .part(_, _, let total?) = ContentRange(head.headers["Content-Range"])
        else { return head }
        var whole = head
        whole.statusCode = 200
        whole.headers["Content-Length"] = String(total)
        return whole
    }

    /// The validation's objection to a head. Validates a resumed 206 as 200, because the range is ours.
    func rejection(of head: ResponseHead, by validation: ResponseValidation) -> NetworkError? {
        guard isContinuing else { return validation.rejection(of: head) }
        var whole = head
        whole.statusCode = 200
        return validation.rejection(of: whole)
    }
}
