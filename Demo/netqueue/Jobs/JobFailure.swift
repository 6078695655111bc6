import Dashboard
import Foundation
import NetworkQueueKit

/// A failed transfer or list line, with its reason.
struct JobFailure: Hashable, Sendable {
    /// The reason for programs, as `error` in JSON. The values are stable.
    enum Code: String, CaseIterable, Sendable {
        case timeout, dns, connect, lost, tls, redirects, http, login, response, size, checksum, exists, disk, file,
            output
        case name, line, stage, resources, space, type, exec, other
    }

    /// What the summary says because of a failure.
    enum Advice: Hashable, Sendable {
        /// How to treat existing files.
        case existingFiles
        /// How to tell files with the same name apart.
        case sameNames
        /// That the server has refused the request because there were too many.
        case tooManyRequests
        /// Nothing at all: the reader of the standard output has gone away.
        case noSummary
    }

    /// The item's name, or the location of an invalid line.
    let source: String
    var reason: String
    /// The text under which the summary groups failures of this kind; `nil` uses the reason.
    var kind: String?
    /// What caused the failure, for another run; `nil` for the failure of a transfer.
    var lines: FailedList.Line?
    var code = Code.other
    /// The status of the response; `nil` without a response.
    var status: Int?
    /// The URL that failed; `nil` if there is none.
    var url: URL?
    var advice: Advice?
    /// Whether a single line is printed for all failures with this reason, as for the files of a folder.
    var isToldOnce = false
    /// What the files need on the disk, and what is free there; `nil` unless the disk is too small for them.
    var space: DiskNeed?
    /// The server's answer in one line; `nil` if it is not shown.
    var answer: String?

    /// A text with the mark that lines about failures have.
    static func line(_ text: String) -> String { mark + text.fitting(.current) }

    private static var mark: String { TerminalTraits.current.charset == .unicode ? "✗ " : "x " }

    /// The line for the standard error, such as `✗ e404: 404 Not Found`. On a terminal it is cut to the width, unless
    /// it has an answer.
    var line: String {
        let traits = TerminalTraits.current
        let mark = Self.mark
        // Behind a remark, the answer would look like a part of it.
        let link = reason.contains("; ") ? "; the server says: " : ": "
        let reason = [reason, answer].compactMap(\.self).joined(separator: link).withoutControls().fitting(traits)
        let source = source.withoutControls().fitting(traits)
        guard StandardStream.error.isTerminal else { return "\(mark)\(source): \(reason)" }
        let columns = TerminalSize.current.columns - 1
        let ellipsis = traits.charset == .unicode ? "…" : "..."
        // The reason is more informative than the name, but keep enough of the name to identify the file.
        let room = max(columns - mark.displayColumns - 2 - reason.displayColumns, columns / 3)
        let name = source.truncatedInTheMiddle(to: room, mark: ellipsis)
        // Show the server's answer completely, in as many rows as needed.
        if answer != nil { return "\(mark)\(name): \(reason)" }
        return "\(mark)\(name): \(reason)".truncatedInTheMiddle(to: columns, mark: ellipsis)
    }
}

extension JobFailure {
    /// Creates the failure of a request.
    ///
    /// - Parameter part: The part of the content that had arrived.
    init(source: String, _ error: NetworkError, after part: ReceivedPart? = nil) {
        let (reason, kind) = Self.words(error)
        let amount = [.connectionLost, .timedOut].contains(error.code) ? part.map { " after \($0.text)" } : nil
        // With mirrors, also report the failure of the first URL, because that is the one in the list.
        let place = error.formerFailures.isEmpty ? nil : Self.origin(error, reason)
        let former = error.formerFailures.first.map { first in
            let reason = Self.words(first).reason
            return "; before that \(reason)\(Self.origin(first, reason))"
        }
        let refresh = (error.underlying as? LinkRefresh.Failure).map { "; \($0.reason)" }
        let isOfCommand = error.underlying is FileCommand.Failure
        let details = isOfCommand ? [] : [amount, place, refresh, former].compactMap(\.self)
        let folder = error.underlying as? ServerFolders.Failure
        let cause = folder?.error ?? error
        self.init(
            source: source, reason: reason + details.joined(), kind: kind,
            code: Code(cause), status: cause.response?.head.statusCode, url: error.url, advice: Advice(error),
            isToldOnce: folder != nil, space: DiskNeed(error))
    }

    /// The place of a failure, unless its reason contains it.
    private static func origin(_ error: NetworkError, _ reason: String) -> String {
        guard let place = error.url?.address, !reason.contains(place) else { return "" }
        return " at \(place)"
    }

    /// The failure of a file whose size differs from its list's.
    static func size(_ size: Int64, insteadOf expected: Int64, source: String, lines: FailedList.Line?) -> JobFailure {
        JobFailure(
            source: source, reason: "has \(size) bytes, expected \(expected)", kind: sizeDiffers, lines: lines,
            code: .size)
    }

    /// The failure of a line of the standard input that belongs to a stage which may already have ended.
    static func lateStage(_ entry: ListEntry, after stage: Int) -> JobFailure {
        JobFailure(
            source: URLText.shown(entry.url),
            reason: "stage \(entry.stage) follows stage \(stage); standard input must have the lowest stage first",
            kind: "a lower stage follows a higher one", lines: .entry(entry), code: .line)
    }

    /// The failure of a file for which its server suggests the name of another file of the job.
    static func sameName(source: String, as name: String) -> JobFailure {
        let kind = "another download has the same file name"
        return JobFailure(
            source: source, reason: "\(kind), “\(name)”", kind: kind, code: .name, advice: .sameNames)
    }

    /// The reason of an error, and the text that failures share whose reasons differ only in the host or the like.
    private static func words(_ error: NetworkError) -> (reason: String, kind: String) {
        func same(_ text: String) -> (String, String) { (text, text) }
        let system = error.underlying as? POSIXError
        switch (error.code, system?.code) {
        case (.httpStatus(let status), _):
            let text = "\(status) \(HTTPURLResponse.localizedString(forStatusCode: status))"
            let kind = "redirects are not followed"
            if error.leadsToHTTP { return ("redirect from https to http, which is not followed", kind) }
            if let target = error.refusedRedirect {
                return (text + "; the redirect to \(target) is not followed", kind)
            }
            if [202, 204, 205].contains(status) { return same(text + "; the response is not the file") }
            if status == 207 { return same(text + "; the response lists what failed") }
            return same(error.mayComeFromHead ? text + " after a successful HEAD; try --no-sizing" : text)
        case (.insufficientSpace, _): return (DiskNeed(error)?.text ?? DiskNeed.shortage, DiskNeed.shortage)
        case (.fileSystem, .EEXIST?) where error.lacksDate:
            return same("already exists, and the server sends no date to compare")
        case (.fileSystem, .EEXIST?): return same("already exists and differs from the server’s copy")
        case (.fileSystem, _?): return same("cannot be written: \(system?.reason ?? "")")
        // From the sink for the standard output; all other content goes to files.
        case (.processing, .EPIPE?): return same("the reader of standard output has gone away")
        case (.processing, _?): return same("standard output: \(system?.reason ?? "")")
        default: break
        }
        switch error.underlying {
        case ContentMismatch.checksum(let expected, let actual)?:
            let digits = "\(expected.name) is \(shortened(actual)), expected \(shortened(expected.digits))"
            return ("checksum differs: \(digits)", "checksum differs")
        case ContentMismatch.size(let expected, let actual)?:
            return ("has \(actual) bytes, expected \(expected)", sizeDiffers)
        case ContentMismatch.contentType(let expected, let actual)?:
            // Parameters are not compared.
            let type = actual.map { "the type " + String($0.prefix { $0 != ";" }.trimmedOfSpaces).shortened(to: 100) }
            return (
                "has \(type ?? "no media type"), expected \(expected.joined(separator: " or "))", "media type differs"
            )
        case let failure as ServerFolders.Failure:
            let (start, cause) = ("the folder \(URLText.shown(failure.folder)) cannot be made: ", words(failure.error))
            return (start + cause.reason, start + cause.kind)
        case let failure as FileCommand.Failure: return (failure.reason, "the command of --exec \(failure.fault)")
        default:
            var error = error
            error.formerFailures = []
            return (error.localizedDescription.clause, error.summary.clause)
        }
    }

    private static let sizeDiffers = "size differs"

    /// The beginning of a digest, which suffices to tell two apart.
    private static func shortened(_ digits: String) -> String {
        digits.count > 12 ? digits.prefix(12).lowercased() + "…" : digits.lowercased()
    }
}

extension JobFailure.Code {
    /// The code for a request's error.
    fileprivate init(_ error: NetworkError) {
        let system = (error.underlying as? POSIXError)?.code
        switch error.code {
        case .timedOut: self = .timeout
        case .cannotFindHost: self = .dns
        case .cannotConnectToHost: self = .connect
        case .connectionLost: self = .lost
        case .tlsFailure: self = .tls
        case .tooManyRedirects: self = .redirects
        case .httpStatus(401), .httpStatus(407), .authenticationRequired: self = .login
        case .httpStatus: self = error.leadsToHTTP || error.refusedRedirect != nil ? .redirects : .http
        case .validation where error.hasOtherType: self = .type
        case .badServerResponse, .responseTooLarge, .validation: self = .response
        case .contentMismatch:
            if case .size? = error.underlying as? ContentMismatch { self = .size } else { self = .checksum }
        case .fileSystem where system == .EEXIST: self = .exists
        case .fileSystem where system == .ENOSPC || system == .EDQUOT: self = .disk
        case .fileSystem, .bodyUnavailable: self = .file
        case .processing where system != nil: self = .output
        case .processing where error.underlying is FileCommand.Failure: self = .exec
        case .resourceShortage: self = .resources
        case .earlierStageFailed: self = .stage
        case .insufficientSpace: self = .space
        default: self = .other
        }
    }
}

extension JobFailure.Advice {
    fileprivate init?(_ error: NetworkError) {
        switch (error.code, (error.underlying as? POSIXError)?.code) {
        case (.fileSystem, .EEXIST?): self = .existingFiles
        case (.processing, .EPIPE?): self = .noSummary
        default:
            guard error.response?.head.isQuotaRefusal == true else { return nil }
            self = .tooManyRequests
        }
    }
}

extension NetworkError {
    /// Whether the response has another media type than it must have.
    fileprivate var hasOtherType: Bool {
        if case .contentType? = underlying as? ContentMismatch { true } else { false }
    }

    /// Whether the response has no date with which a file could be compared.
    fileprivate var lacksDate: Bool { response.map { $0.head.lastModified == nil } ?? false }

    /// The target of a redirect that the options forbid, without its query, which may have a signature.
    fileprivate var refusedRedirect: String? {
        guard let head = response?.head, [301, 302, 303, 307, 308].contains(head.statusCode),
            let location = head.headers["Location"], !location.isEmpty,
            let target = URL(string: location, relativeTo: head.url).flatMap({ URLText.url($0.absoluteString) })
        else { return nil }
        let text = URLText.shown(target)
        return String(text.prefix { $0 != "?" && $0 != "#" }).shortened(to: 200)
    }

    /// Whether the response is a redirect from https to http.
    fileprivate var leadsToHTTP: Bool {
        guard let head = response?.head, (300..<400).contains(head.statusCode) else { return false }
        return head.url.scheme == "https" && head.headers["Location"]?.lowercased().hasPrefix("http:") == true
    }
}

extension String {
    /// The sentence as a clause, without the capital and the period.
    var clause: String { prefix(1).lowercased() + dropFirst().withoutPeriod }
}

extension StringProtocol where SubSequence == Substring {
    /// The sentence without the period.
    var withoutPeriod: Substring { hasSuffix(".") ? dropLast() : self[...] }
}
