import Foundation

/// The place where the content of a response goes.
public enum Destination: Sendable {
    /// The rule for a file that already exists at the destination.
    ///
    /// What one operation of a run has stored, another one of that run neither replaces nor keeps: unless the rule is
    /// ``rename``, the later one fails with `.fileSystem` (`EEXIST`). A run of a ``NetworkQueue`` ends with its drain or
    /// with `reset()`. In a ``RequestQueue``, the rule covers operations that were in it at the same time.
    public enum ConflictPolicy: Sendable, Hashable, Codable {
        /// The request fails with `.fileSystem` (`EEXIST`), and the existing file is unchanged.
        ///
        /// The request fails before anything is sent for it, even a sizing request. If the file appears later, the
        /// request fails when the response's head arrives or when the content is complete. A request with an
        /// `If-None-Match` or `If-Modified-Since` field of its own is sent anyway: a 304 leaves the file unchanged and
        /// is a success. (A 304 to a request without a condition is a failure.)
        case fail
        /// The new file atomically replaces a regular file or a symbolic link; the link's target is unchanged.
        ///
        /// Anything else at the path is unchanged and fails the request with `.fileSystem`: `EISDIR` for a folder,
        /// `EEXIST` for a device, a FIFO or a socket. This is checked when the response's head arrives and again when
        /// the content is complete.
        case overwrite
        /// The new file gets the next free name: `name-2.ext`, `name-3.ext`, and so on.
        case rename
        /// An up-to-date file is kept, and the request succeeds without fetching its content. `otherwise` applies to a
        /// file that differs, and to anything that is not a regular file.
        ///
        /// | what is known | the file is kept if |
        /// |---|---|
        /// | `expectedChecksum` | it has that checksum; neither the request nor a HEAD is sent |
        /// | a HEAD from a ``NetworkQueue`` with sizing | it has that size and `Last-Modified`; nothing else is sent |
        /// | a HEAD with another date | never |
        /// | no such HEAD, no date or another size | a GET is answered with 304, or 200 with its size and date |
        /// | the file is empty | a GET without a condition is answered with 200, a length of 0 and its date |
        ///
        /// The GET has an `If-Modified-Since` field, unless the HEAD reports a size that is not 0 and differs from the
        /// file's: a server would answer 304 even if the file was changed locally. Dates are compared in whole seconds;
        /// every form that RFC 9110 defines or common servers use is understood. A date outside the file system's range
        /// is compared as the file system stores it. Without any date, the file is not up to date. Neither is it after a
        /// 304 with a `Content-Length` that is not 0 and differs from its size.
        ///
        /// An empty file that has the date of content that is not empty is what a cut of power may have left. It is
        /// replaced, whatever `otherwise` is.
        ///
        /// A file that appears while the request runs is also kept if it is identical to the received content: another
        /// download of it was faster.
        ///
        /// For a kept file, ``Response/wasKept`` is `true`, the operation's `fileURL` is the file, and its bytes count
        /// as resumed. `attempts` is the number of exchanges started: 0 if the checksum or a HEAD decided. In that case
        /// ``Response/head`` is the head of the HEAD, or a 304 without header fields. A request with a condition or a
        /// `Range` of its own, or with a method other than GET, is sent unchanged, and `otherwise` applies.
        case keepIfCurrent(otherwise: StalePolicy)

        /// The policy to apply once the response brings content.
        var settled: ConflictPolicy {
            guard case .keepIfCurrent(let otherwise) = self else { return self }
            switch otherwise {
            case .fail: return .fail
            case .overwrite: return .overwrite
            case .rename: return .rename
            }
        }
    }

    /// The rule for an existing file that differs from the server's copy; see
    /// ``ConflictPolicy/keepIfCurrent(otherwise:)``.
    public enum StalePolicy: Sendable, Hashable, Codable {
        /// The request fails with `.fileSystem` (`EEXIST`), and the existing file is unchanged.
        case fail
        /// The new file atomically replaces the existing one.
        case overwrite
        /// The new file gets the next free name: `name-2.ext`, `name-3.ext`, and so on.
        case rename
    }

    /// The content is kept in memory and returned as `data`.
    case memory
    /// The content is written to `name.nqk.part` beside the URL, and moved into place atomically once it is complete
    /// and on disk.
    ///
    /// The URL never holds an incomplete file. The modification time is set from the response's `Last-Modified`, if
    /// present. Missing parent folders are created. A symbolic link at the URL counts as a file and is never followed.
    /// File system errors fail the request with `.fileSystem`.
    ///
    /// If `resumes` is `true`, a GET whose response has a strong validator (a strong `ETag`, or a `Last-Modified` date
    /// at least a second older than the response) leaves its partial file behind when it fails, is canceled, or its
    /// process ends. A sidecar, `name.nqk.part.info`, describes the part. The next attempt, whether a retry or another
    /// run for the same URL and destination, requests the rest with `Range` and `If-Range`; beside a weak or malformed
    /// tag it uses `If-Unmodified-Since` instead. It continues the part only if the response clearly is the rest of the
    /// same representation: all validators present in both responses match, one of them is strong, and range, total
    /// size and content coding fit. Otherwise it starts over. After a resume, the status of the response's head is
    /// usually 206; it may be 416 or that of a HEAD if the part already has all bytes. A GET requests the last two
    /// bytes of such a part again. A request with a `Range`, `If-Range` or `If-Unmodified-Since` field of its own is
    /// never resumed.
    ///
    /// A 2xx response whose `Content-Range` covers only a part is never stored as the whole file. A GET answered with
    /// 202, 204 or 205 fails with `.httpStatus` and replaces nothing, unless the request or its queue sets a
    /// ``ResponseValidation``; see ``ResponseValidation/contentStatus``.
    ///
    /// Content known to be at most 64 KiB is kept in memory until it is complete. A part is written only if the
    /// transfer is cut or canceled; if the process is killed, the download starts over.
    ///
    /// Without `resumes`, or without a strong validator, a partial file remains only if the process is killed; the next
    /// run replaces it. A killed process loses about the last tenth of a second of data: less than 2 MiB, or less than
    /// 1 MiB of each part of a split download (``NetworkRequest/Splitting``). A system crash also loses everything not
    /// yet confirmed to be on disk.
    ///
    /// If several downloads have the same destination at the same time, even in different processes, the first uses the
    /// part. The others write to files with unique names, which are removed if they fail; files left by a killed
    /// process are removed by the first download of another process into the folder. File systems without `flock` are
    /// handled differently (<doc:Security>). File names that end in `.nqk.part` are refused (`EINVAL`).
    ///
    /// In a folder that other users can write to, a part and its sidecar are used only if they are regular files owned
    /// by the process's effective user. Anything else with one of these names is left in place, and the download writes
    /// to a file with a unique name, which cannot be resumed.
    case file(URL, onConflict: ConflictPolicy = .fail, resumes: Bool = true)
    /// The content is counted and thrown away.
    case discard
    /// The content is passed to a sink chunk by chunk, at the sink's pace. It is never resumed: each attempt starts
    /// with the first byte.
    case sink(any DownloadSink)
}

extension Destination {
    /// Whether an existing file may be kept instead of fetching the content.
    var mayKeepFile: Bool { if case .file(_, onConflict: .keepIfCurrent, resumes: _) = self { true } else { false } }

    /// Whether the content goes to a file.
    var isFile: Bool { if case .file = self { true } else { false } }

    /// Whether the content is part of the response.
    var isMemory: Bool { if case .memory = self { true } else { false } }

    /// Whether the content goes to the user's code.
    var isSink: Bool { if case .sink = self { true } else { false } }

    /// Whether another attempt may deliver the content again. Asks the sink, which then drops what it has received.
    var mayStartOver: Bool { if case .sink(let sink) = self { sink.mayStartOver() } else { true } }
}

extension Destination: Hashable {
    /// Compares sinks by identity.
    public static func == (left: Destination, right: Destination) -> Bool {
        switch (left, right) {
        case (.memory, .memory), (.discard, .discard): true
        case (.file(let url, let policy, let resume), .file(let otherURL, let otherPolicy, let otherResume)):
            url == otherURL && policy == otherPolicy && resume == otherResume
        case (.sink(let sink), .sink(let other)): sink === other
        case (.memory, _), (.discard, _), (.file, _), (.sink, _): false
        }
    }

    /// Hashes sinks by identity.
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
