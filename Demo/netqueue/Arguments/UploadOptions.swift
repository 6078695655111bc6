import NetworkQueueKit

/// The options of `netqueue upload FILE… URL`.
struct UploadOptions: Hashable, Sendable {
    /// A field of a form.
    struct Field: Hashable, Sendable {
        let name: String
        /// The text; `nil` for a file.
        let text: String?
        let file: String?

        /// Parses `NAME=TEXT` or `NAME=@FILE`.
        init?(_ text: String) {
            var parts = text.parts(separatedBy: "=", maxSplits: 1)
            guard parts.count == 2, !parts[0].isEmpty else { return nil }
            name = String(parts[0])
            let isFile = parts[1].skip(byte: "@")
            self.text = isFile ? nil : String(parts[1])
            file = isFile ? String(parts[1]) : nil
        }
    }

    /// The path that stands for the standard input among the files and lists.
    static let standardInput = "-"

    var files: [String] = []
    /// The paths of lists, which have the path of one file to send per line.
    var lists: [String] = []
    /// Whether to send folders with everything in them.
    var isRecursive = false
    var url = ""
    /// The fields of a form; if empty, the files are sent individually.
    var form: [Field] = []
    var transfer = TransferOptions()

    /// Reads a command line.
    init(tokens: [ArgumentScanner.Token]) throws(UsageError) {
        var operands: [String] = []
        for token in tokens {
            switch token {
            case .operand(let operand): operands.append(operand)
            case .option(.form, let value):
                guard let field = Field(value) else { throw UsageError("--form must be NAME=TEXT or NAME=@FILE") }
                form.append(field)
            case .option(.recursive, _): isRecursive = true
            case .option(.input, let value): lists.append(try OptionValue.text(value, of: .input))
            case .option(let option, let value):
                try option.check(for: .upload)
                try transfer.take(option, value)
            }
        }
        try transfer.check()
        guard let last = operands.popLast() else { throw UsageError("no URL to upload to; give it last") }
        url = last
        files = operands
        try check()
    }

    /// Rejects options that contradict each other.
    private func check() throws(UsageError) {
        if files.isEmpty, lists.isEmpty, form.isEmpty {
            throw UsageError("no file to upload; give FILE, -i FILE or --form, and the URL last")
        }
        if !form.isEmpty, let first = files.first ?? lists.first {
            throw UsageError("“\(first)” is not part of the form; use --form NAME=@FILE")
        }
        if files.contains(Self.standardInput), lists.contains(Self.standardInput) {
            throw UsageError("standard input cannot be both a file and a list")
        }
        let isFolder = url.ends(withBytesOf: "/")
        if files.count > 1 || isRecursive || !lists.isEmpty, !isFolder {
            throw UsageError("several files need a URL that ends with /; got “\(URLText.shown(url))”")
        }
        if files.contains(Self.standardInput), isFolder {
            throw UsageError("standard input needs a URL that ends with a name; got “\(URLText.shown(url))”")
        }
    }
}
