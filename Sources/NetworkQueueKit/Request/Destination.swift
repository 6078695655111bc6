import Foundation

/// Where the content of a response goes.
public enum Destination: Sendable {
    /// What happens when the file is there already.
    public enum ConflictPolicy: Sendable, Hashable {
        /// The request fails with `.fileSystem` (`EEXIST`) and the file stays as it is.
        ///
        /// It fails before anything is sent for it, a sizing request included. A file that appears later makes it fail when the
        /// response's head has arrived, or when the content is whole. A request with an `If-None-Match` or `If-Modified-Since` of its own
        /// is sent all the same: a 304 leaves the file, and is a success.
        case fail
        /// The new file takes its place in one step, if it is a regular file or a symbolic link, whose target stays.
        ///
        /// Anything else stays as it is and fails the request with `.fileSystem`, when the response's head has arrived and once more
        /// when the content is whole: a folder with `EISDIR`, a device, a FIFO or a socket with `EEXIST`.
        case overwrite
        /// The new file gets the next free name: `name-2.ext`, `name-3.ext`, and so on.
        case unique
        /// A file that is what the server has is kept, and the request is a success without its content being sent; `otherwise` is what
        /// happens to one that is not, and to anything that is not a regular file.
        ///
        /// It is current if its size is that of the response to a HEAD and the time of its last modification, to the second, that of the
        /// `Last-Modified` field. A ``NetworkQueue`` that asks for sizes has that response: the operation then ends with it and
        /// `attempts` 0. Without it, a GET asks with `If-Modified-Since`, and 304 keeps the file. Where the server tells no date, the
        /// file is not current. With an `expectedChecksum` the file is read, and is current only if it has that as well.
        ///
        /// The bytes of a file that is kept count as resumed ones, and its URL is the operation's `fileURL`. A request with a condition
        /// or a `Range` of its own, or that is no GET, is sent as it is, and `otherwise` counts.
        case keepIfCurrent(otherwise: StalePolicy)

        /// What counts when the response brings a file.
        var settled: ConflictPolicy {
            guard case .keepIfCurrent(let otherwise) = self else { return self }
            switch otherwise {
            case .fail: return .fail
            case .overwrite: return .overwrite
            case .unique: return .unique
            }
        }
    }

    /// What happens to a file that is there already and not what the server has, as in ``ConflictPolicy``.
    public enum StalePolicy: Sendable, Hashable {
        /// The request fails with `.fileSystem` (`EEXIST`), and the file stays as it is.
        case fail
        /// The new file takes its place in one step.
        case overwrite
        /// The new file gets the next free name.
        case unique
    }

    /// Kept in memory and handed over as `data`.
    case memory
    /// Written beside the URL as `name.nqk.part` and moved there in one step when it is whole and on the disk.
    ///
    /// The time of the last modification is what the response's `Last-Modified` tells, if it has one.
    /// Missing parent folders are created. Nothing is ever at the URL but a whole file. A symbolic link there counts as a
    /// file: it is never followed. Whatever the file system refuses fails the request with `.fileSystem`.
    ///
    /// With `resume`, a GET whose response has a strong validator (a strong `ETag`, or `Last-Modified` where there is no `ETag`)
    /// leaves its part behind when it fails, is cancelled, or its process ends, and beside it `name.nqk.part.info`, which
    /// says what it is a part of. The next attempt, be it a retry or another run for the same URL and destination, asks for
    /// the rest by `Range` and `If-Range`. It goes on behind the part only if the server says plainly that this is the rest of
    /// the same state of the resource, and starts over in every other case. A head with the status 206 (or 416 when
    /// nothing was missing) then is the response's. A request with a `Range` of its own is never resumed.
    ///
    /// Content that is known to have at most 64 KiB is kept in memory until it is whole: it has a part only where it is cut or
    /// cancelled, and begins anew after the end of the process.
    ///
    /// Without `resume`, or without a strong validator, nothing is left but after the end of the process itself; the next
    /// run takes that part's place. The end of the process costs what had come in the last tenth of a second or so, less than
    /// 2 MiB; a crash of the whole system what had not been known to be on the disk.
    ///
    /// Of several downloads of one destination at a time, in whatever processes, the first has the part; the others write
    /// to files of unique names, which are removed if they fail. Names that end in `.nqk.part` are refused (`EINVAL`).
    ///
    /// In a folder that other users write to, a part and its sidecar count only if they are regular files of the user that this
    /// process acts for. Where anything else has one of the two names, it stays there, and the download writes to a file of a
    /// unique name, which cannot be resumed.
    case file(URL, onConflict: ConflictPolicy = .fail, resume: Bool = true)
    /// Counted and thrown away.
    case discard
    /// Handed over piece by piece, at the speed of the sink. Never resumed: each attempt begins with the first byte.
    case sink(any DownloadSink)
}

extension Destination {
    /// Whether a file that is there may take the place of the content.
    var mayKeepFile: Bool { if case .file(_, onConflict: .keepIfCurrent, resume: _) = self { true } else { false } }

    /// Whether the content goes to the user's code.
    var isSink: Bool { if case .sink = self { true } else { false } }

    /// Whether another attempt may bring the content once more; the sink is asked, which lets go of what it has.
    var mayStartOver: Bool { if case .sink(let sink) = self { sink.mayStartOver() } else { true } }
}
