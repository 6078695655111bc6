import Foundation

/// What is known about the bytes in a part: the file beside it, as lines of text.
///
///     NetworkQueueKit part 1
///     url http://example.com/file
///     etag "0123"                        (or: last-modified Sun, 06 Nov 1994 08:49:37 GMT)
///     modified Sun, 06 Nov 1994 08:49:37 GMT   (where known: a 416, with which a whole part ends, need not tell it)
///     total 123456                       (where known)
///     boot 5a9f…                         (of the system that is writing the part)
///     synced 65536                       (bytes that have reached the disk)
///     end
///
/// While the system runs that was writing it, a part is as long as its file is: the end of a process loses nothing that
/// was written. After a crash of the system the file's length says nothing about its content, so only `synced` counts.
struct Sidecar: Hashable, Sendable {
    private static let firstLine = "NetworkQueueKit part 1"
    private static let lastLine = "end"
    private static let maximumSize = 64 * 1024

    /// The URL that was asked for, before redirects, without user information.
    var url: String
    var validator: Validator
    var total: Int64?
    var boot: String
    var synced: Int64
    /// When the content was last modified, as its server says.
    var modified: Date?

    init(
        url: String, validator: Validator, total: Int64?, boot: String = Self.currentBoot, synced: Int64 = 0,
        modified: Date? = nil
    ) {
        self.url = url
        self.validator = validator
        self.total = total
        self.boot = boot
        self.synced = synced
        self.modified = modified
    }

    /// Reads what `text` writes; `nil` for anything that is cut, damaged or of another version.
    ///
    /// By bytes: to `Character` a combining accent is one with the space or line feed before it, and strings are equal whose bytes
    /// differ.
    init?(_ text: String) {
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        guard lines.popFirst()?.elementsEqual(Self.firstLine.utf8) == true, lines.popLast()?.isEmpty == true,
            lines.popLast()?.elementsEqual(Self.lastLine.utf8) == true
        else { return nil }
        var fields = Fields()
        for line in lines { guard fields.take(line) else { return nil } }
        guard let url = fields.url, let boot = fields.boot, let synced = fields.synced.flatMap(Self.number)
        else { return nil }
        if let tag = fields.etag, Validator.isStrongTag(tag) {
            validator = .entityTag(tag)
        } else if let date = fields.lastModified {
            validator = .date(date)
        } else {
            return nil
        }
        if let text = fields.modified {
            guard let modified = HTTPDate.fixdate(from: text) else { return nil }
            self.modified = modified
        }
        if let digits = fields.total {
            guard let total = Self.number(digits) else { return nil }
            self.total = total
        }
        self.url = url
        self.boot = boot
        self.synced = synced
    }

    /// The values of the lines, each of which may stand there once.
    private struct Fields {
        var url, etag, lastModified, modified, total, boot, synced: String?

        /// Takes one line; returns `false` when it has no name, an unknown one, or one that was there before.
        mutating func take(_ line: Substring.UTF8View) -> Bool {
            guard let space = line.firstIndex(of: UInt8(ascii: " ")) else { return false }
            let place: WritableKeyPath<Fields, String?>
            switch String(Substring(line[..<space])) {
            case "url": place = \.url
            case "etag": place = \.etag
            case "last-modified": place = \.lastModified
            case "modified": place = \.modified
            case "total": place = \.total
            case "boot": place = \.boot
            case "synced": place = \.synced
            default: return false
            }
            guard self[keyPath: place] == nil else { return false }
            self[keyPath: place] = String(Substring(line[line.index(after: space)...]))
            return true
        }
    }

    /// Digits alone: `Int64` would take a sign as well.
    private static func number(_ text: String) -> Int64? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int64(text) : nil
    }

    /// The file's content.
    var text: String {
        let condition =
            switch validator {
            case .entityTag(let tag): "etag \(tag)"
            case .date(let date): "last-modified \(date)"
            }
        let date = modified.map { "modified \(HTTPDate.text($0))\n" } ?? ""
        let size = total.map { "total \($0)\n" } ?? ""
        return
            "\(Self.firstLine)\nurl \(url)\n\(condition)\n\(date)\(size)boot \(boot)\nsynced \(synced)\n\(Self.lastLine)\n"
    }

    /// How many bytes of a part of `length` bytes are certain to be what was received.
    func trustedLength(of length: Int64) -> Int64 {
        boot == Self.currentBoot && boot != Self.unknownBoot ? length : min(synced, length)
    }

    /// Reads the file at `path`; `nil` when it is missing, does not make sense, or belongs to another user.
    ///
    /// - Throws: `.fileSystem` with `EMFILE` or `ENFILE`; nothing else.
    static func read(_ path: String) throws(NetworkError) -> Sidecar? {
        guard POSIXFile.status(path)?.isOwnFile == true else { return nil }
        let descriptor = POSIXFile.open(path, O_RDONLY | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if POSIXFile.isShortage(errno) { throw .fileSystem(errno, path: path) }
            return nil
        }
        defer { close(descriptor) }
        // What has been opened may be another file than what has been looked at.
        guard POSIXFile.status(descriptor)?.isOwnFile == true else { return nil }
        var bytes = [UInt8](repeating: 0, count: maximumSize)
        let count = Foundation.read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return Sidecar(String(decoding: bytes[..<count], as: UTF8.self))
    }

    static let unknownBoot = "unknown"

    /// Tells this run of the system from those before.
    static let currentBoot: String = {
        #if os(Linux)
            let id = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
            return id?.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? unknownBoot
        #else
            var buffer = [CChar](repeating: 0, count: 64)
            var size = buffer.count - 1
            guard sysctlbyname("kern.bootsessionuuid", &buffer, &size, nil, 0) == 0 else { return unknownBoot }
            return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        #endif
    }()
}
