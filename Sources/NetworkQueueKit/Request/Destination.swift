import Foundation

/// Where the content of a response goes.
public enum Destination: Sendable {
    /// What happens when the file is there already.
    public enum ConflictPolicy: Sendable, Hashable, Codable {
        /// The request fails with `.fileSystem` (`EEXIST`) and the file stays as it is.
        ///
        /// It fails before anything is sent for it, a sizing request included. A file that appears later makes it fail
        /// when the response's head has arrived, or when the content is whole. A request with an `If-None-Match` or
        /// `If-Modified-Since` of its own is sent all the same: a 304 leaves the file, and is a success. (A 304 that no
        /// condition has asked for is a failure.)
        case fail
        /// The new file takes its place in one step, if it is a regular file or a symbolic link, whose target stays.
        ///
        /// Anything else stays as it is and fails the request with `.fileSystem`, when the response's head has arrived
        /// and once more when the content is whole: a folder with `EISDIR`, a device, a FIFO or a socket with `EEXIST`.
        case overwrite
        /// The new file gets the next free name: `name-2.ext`, `name-3.ext`, and so on.
        case rename
        /// An up-to-date file is kept, and the request succeeds without fetching its content. `otherwise` decides about
        /// a file that differs, and about anything that is not a regular file.
        ///
        /// | what is known | the file is kept if |
        /// |---|---|
        /// | `expectedChecksum` | it has that checksum; no request is sent, and no HEAD |
        /// | a HEAD, from a ``NetworkQueue`` that asks for sizes | it has the size and the `Last-Modified` date of the HEAD; no other request is sent |
        /// | a HEAD with another date | never |
        /// | no HEAD, or one without a date, with another size, or an error | a GET is answered with 304 (`If-Modified-Since`), or with a 200 whose head has the file's size and date |
        ///
        /// A HEAD that tells another size than 0 and the file's is followed by a GET without a condition, since a
        /// server would also answer 304 to a file that was changed here. Dates are compared in whole seconds, in every
        /// form that RFC 9110 and common servers use; a date that the file system cannot keep counts as the one that it
        /// keeps. Without any date the file is not current.
        ///
        /// A file that was not there when the request began, and that has the very bytes that have come when it ends,
        /// is kept as well: another download of it was quicker.
        ///
        /// A kept file has ``Response/wasKept``, its bytes count as resumed ones, its URL is the operation's `fileURL`,
        /// and `attempts` is the number of exchanges that were started: 0 if the checksum or a HEAD has decided; then
        /// ``Response/head`` is that of the HEAD, or a 304 without fields. A request with a condition or a `Range` of
        /// its own, or with another method than GET, is sent as it is, and `otherwise` counts.
        case keepIfCurrent(otherwise: StalePolicy)

        /// What counts when the response brings a file.
        var settled: ConflictPolicy {
            guard case .keepIfCurrent(let otherwise) = self else { return self }
            switch otherwise {
            case .fail: return .fail
            case .overwrite: return .overwrite
            case .rename: return .rename
            }
        }
    }

    /// What happens to a file that is there already and not what the server has, as in ``ConflictPolicy``.
    public enum StalePolicy: Sendable, Hashable, Codable {
        /// The request fails with `.fileSystem` (`EEXIST`), and the file stays as it is.
        case fail
        /// The new file takes its place in one step.
        case overwrite
        /// The new file gets the next free name.
        case rename
    }

    /// Kept in memory and handed over as `data`.
    case memory
    /// Written beside the URL as `name.nqk.part` and moved there in one step when it is whole and on the disk.
    ///
    /// The time of the last modification is what the response's `Last-Modified` tells, if it has one. Missing parent
    /// folders are created. Nothing is ever at the URL but a whole file. A symbolic link there counts as a file: it is
    /// never followed. Whatever the file system refuses fails the request with `.fileSystem`.
    ///
    /// With `resume`, a GET whose response has a strong validator (a strong `ETag`, or a `Last-Modified` date at least
    /// a second older than the response) leaves its part behind when it fails, is cancelled, or its process ends, and
    /// beside it `name.nqk.part.info`, which says what it is a part of. The next attempt, be it a retry or another run
    /// for the same URL and destination, asks for the rest by `Range` and `If-Range`, or `If-Unmodified-Since` beside a
    /// weak or malformed tag. It continues the part only if the response says plainly that this is the rest of the same
    /// state of the resource: all validators that both responses have agree, one of them is strong, and range, total
    /// and coding fit. It starts over in every other case. A head with the status 206 then is the response's. A part
    /// that has all bytes asks for its last two again. A request with a `Range`, `If-Range` or `If-Unmodified-Since` of
    /// its own is never resumed.
    ///
    /// A success whose `Content-Range` says that it is a part is never stored as the whole.
    ///
    /// Content that is known to have at most 64 KiB is kept in memory until it is whole: it has a part only where it is
    /// cut or cancelled, and begins anew after the end of the process.
    ///
    /// Without `resume`, or without a strong validator, nothing is left but after the end of the process itself; the
    /// next run takes that part's place. The end of the process costs what had come in the last tenth of a second or
    /// so, less than 2 MiB, or less than 1 MiB of each part where it is split (``NetworkRequest/Splitting``); a crash of the whole system what had not been known to be on the disk.
    ///
    /// Of several downloads of one destination at a time, in whatever processes, the first has the part; the others
    /// write to files of unique names, which are removed if they fail; what a killed process has left of these, the
    /// next one removes that downloads into the folder. File systems without `flock` have rules of their own
    /// (<doc:HostileServers>). Names that end in `.nqk.part` are refused (`EINVAL`).
    ///
    /// In a folder that other users write to, a part and its sidecar count only if they are regular files of the user
    /// that this process acts for. Where anything else has one of the two names, it stays there, and the download
    /// writes to a file of a unique name, which cannot be resumed.
    case file(URL, onConflict: ConflictPolicy = .fail, resumes: Bool = true)
    /// Counted and thrown away.
    case discard
    /// Handed over piece by piece, at the speed of the sink. Never resumed: each attempt begins with the first byte.
    case sink(any DownloadSink)
}

extension Destination {
    /// Whether a file that is there may take the place of the content.
    var mayKeepFile: Bool { if case .file(_, onConflict: .keepIfCurrent, resumes: _) = self { true } else { false } }

    /// Whether the content goes to the user's code.
    var isSink: Bool { if case .sink = self { true } else { false } }

    /// Whether another attempt may bring the content once more; the sink is asked, which lets go of what it has.
    var mayStartOver: Bool { if case .sink(let sink) = self { sink.mayStartOver() } else { true } }
}

extension Destination: Hashable {
    /// Sinks are equal when they are the same object.
    public static func == (left: Destination, right: Destination) -> Bool {
        switch (left, right) {
        case (.memory, .memory), (.discard, .discard): true
        case (.file(let url, let policy, let resume), .file(let otherURL, let otherPolicy, let otherResume)):
            url == otherURL && policy == otherPolicy && resume == otherResume
        case (.sink(let sink), .sink(let other)): sink === other
        case (.memory, _), (.discard, _), (.file, _), (.sink, _): false
        }
    }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .memory: hasher.combine(0)
        case .discard: hasher.combine(1)
        case .file(let url, let policy, let resume):
            hasher.combine(url)
            hasher.combine(policy)
            hasher.combine(resume)
        case .sink(let sink): hasher.combine(ObjectIdentifier(sink))
        }
    }
}
