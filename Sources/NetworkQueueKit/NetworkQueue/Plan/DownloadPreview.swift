import Foundation

/// What a download finds at its destination before it starts.
package struct DownloadPreview: Sendable {
    /// What becomes of a file.
    package enum State: Sendable, Hashable {
        /// There is neither a file nor an interrupted download that can be resumed.
        case new
        /// An interrupted download goes on after this many bytes.
        case resumes(at: Int64)
        /// The file is kept.
        case current
        /// The file differs from the server's copy, or is downloaded again in any case.
        case changed
        /// There is a file, and too little is known of the server's copy to tell whether the file is current.
        case unknown
    }

    private let request: NetworkRequest
    private let policy: Destination.ConflictPolicy
    private let resumes: Bool
    private let names: PartNames
    private let file: ExistingFile?
    private let head: ResponseHead?
    private let isCurrent: Bool?

    /// Looks at the destination with one system call; fails unless the request goes to a file.
    ///
    /// - Parameters:
    ///   - head: The head of the whole content, if it is known.
    ///   - isCurrent: Whether an existing file is current, if its checksum or the caller has decided that.
    init?(_ request: NetworkRequest, _ head: ResponseHead?, isCurrent: Bool?) {
        guard case .file(let url, let policy, let resumes) = request.destination, var names = try? PartNames(url)
        else { return nil }
        if request.usesSuggestedFileName, let name = head?.suggestedFileName { names = names.leading(to: name) }
        (self.request, self.policy, self.resumes, self.names) = (request, policy, resumes, names)
        (self.head, self.isCurrent) = (head, isCurrent)
        file = ExistingFile(names)
    }

    /// The path of the file, with the name that the server suggests if the request uses it.
    package var path: String { names.destination }

    var folder: String { names.folder }

    /// Whether only a comparison of the checksum can tell what becomes of an existing file.
    var isUnverified: Bool { file != nil && request.expectedChecksum != nil && isCurrent == nil }

    /// The bytes of content of a known size that are on the disk: those of a file that is kept, or of a part.
    func presentBytes(of size: Int64) -> Int64 {
        if file != nil, stateOfFile == .current { return size }
        return resumes ? min(POSIXFile.filledSize(names.part) ?? 0, size) : 0
    }

    /// What becomes of the file. Reads the description of a part, if there is one.
    package var state: State {
        let found = stateOfFile
        // A file that is in the way makes the download fail, whatever its part holds.
        let isFree = found == nil || found == .changed && !request.destination.keepsStaleFile
        if isFree, let offset = resumeOffset { return .resumes(at: offset) }
        return found ?? .new
    }

    /// The state of what has the destination's name; `nil` if nothing has.
    private var stateOfFile: State? {
        guard let file else { return POSIXFile.status(names.destination) == nil ? nil : .changed }
        if let isCurrent { return isCurrent ? .current : .changed }
        guard case .keepIfCurrent = policy, request.mayKeepFile else { return .changed }
        if request.keepsFileUnasked { return .current }
        guard file.size == request.expectedDownloadSize ?? file.size else { return .changed }
        switch head.map({ file.comparison(with: $0, isWhole: true) }) ?? .unknown {
        case .same: return .current
        case .hasOtherDate, .hasOtherSize: return .changed
        case .unknown: return .unknown
        }
    }

    /// The number of bytes after which an interrupted download goes on; `nil` if it starts over.
    private var resumeOffset: Int64? {
        guard resumes, let part = POSIXFile.status(names.part), part.isOwnFile, part.st_size > 0,
            let sidecar = try? Sidecar.read(names.info), let exchange = try? HTTPExchange(request)
        else { return nil }
        let owner = PartOwner(of: exchange, for: request, isMirror: false, named: nil)
        // The head of a HEAD may lack the validators of the content.
        let isDescribed = head.map { $0.headers.contains("ETag") || $0.lastModified != nil } ?? false
        guard owner.owns(sidecar), !isDescribed || head.map({ owner.accepts($0.headers, behind: sidecar) }) == true
        else { return nil }
        let length = sidecar.trustedLength(of: Int64(part.st_size))
        return length > 0 && length <= sidecar.total ?? .max ? length : nil
    }
}
