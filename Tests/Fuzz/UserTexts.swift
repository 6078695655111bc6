import Foundation
import NetworkQueueKit

@testable import netqueue

/// What netqueue reads: lists, which may come from anyone, files of other programs, and the answers that it shows.
let userTexts = [
    FuzzTarget(
        "list",
        seeds: [
            "http://h/a\tout=b/c\tchecksum=md5:d41d8cd98f00b204e9800998ecf8427e\tsize=5\n  group=g\n\tstage=1\n",
            "# x\r\nhttp://h/a\r\n\theader=X: y\r\n\tmirror=http://m/a\r\n", "\u{FEFF}http://[::1]/%zz\rhttp://h\r",
            "  out=a\nhttp://h/\tout=../a\nhttp:///\nhttp://h/\tsize=9223372036854775808\nh.com/a\n",
        ]
    ) { bytes in
        check(list: bytes)
        // The same, as a server sends it.
        check(list: bytes, at: URL(string: "https://h/a/list?b"))
    },
    FuzzTarget(
        "json-list",
        seeds: [
            #"{"url":"http://h/a","out":"b/c","size":5,"stage":1,"group":"g","mirrors":["http://m/a"]}"# + "\n",
            #"{"url":"a","headers":{"X":"y","A":["b",""],"Host":[]},"checksum":"md5:d41d8cd98f00b204e9800998ecf8427e"}"#,
            #"{"url":"http://h/","url":"http://h/b"}"# + "\r\n" + #"{"url":"http://h/\u00e9","size":1e2,}"#,
        ]
    ) { bytes in
        check(list: bytes)
        check(list: bytes, at: URL(string: "https://h/a/list?b"))
    },
    FuzzTarget(
        text: "uploads",
        seeds: ["a\tout=b/c\n", "-\n#x\n  a b\t out=c/\n", "a\tout=../b\n", "\u{FEFF}a\u{301}\tout=\u{E9}"]
    ) { text in
        for line in text.listLines {
            guard let line = try? UploadLine(line) else { continue }
            for part in line.target ?? [] { precondition(!["", ".", ".."].contains(part) && !part.contains("/")) }
            _ = UploadLine.text(line.path, as: line.target ?? ["a"])
        }
    },
    FuzzTarget(
        text: "sums",
        seeds: [
            "d41d8cd98f00b204e9800998ecf8427e  a\nd41d8cd98f00b204e9800998ecf8427e *b/c\n",
            "MD5 (a (1).iso) = d41d8cd98f00b204e9800998ecf8427e\n", "d41d8cd98f00b204e9800998ecf8427e -\n",
            "\\d41d8cd98f00b204e9800998ecf8427e  a\\nb\\\\c\n",
            "-----BEGIN PGP SIGNED MESSAGE-----\nHash: x\n\n-----BEGIN PGP SIGNATURE-----\n-----END PGP SIGNATURE-----\n",
        ]
    ) { text in
        for line in ChecksumList(text: text, name: "sums").lines {
            precondition(!line.name.isEmpty && !line.name.contains("") && !line.name.contains("."))
            let written = ChecksumList.line(line.name.joined(separator: "/"), line.checksum)
            precondition(ChecksumList(text: written + "\n", name: "").lines.first?.name == line.name, written)
        }
    },
    FuzzTarget(
        text: "netrc",
        seeds: [
            "machine h login u password \"p \\\" q\"\ndefault login a\n",
            "macdef x\na b\n\nmachine h\nlogin u password\n",
        ]
    ) { text in
        let netrc = Netrc(text: text)
        _ = (netrc.login(for: "h"), netrc.login(for: "h", user: "u"))
    },
    FuzzTarget(
        text: "cookie-file",
        seeds: [
            "#HttpOnly_.h.com\tTRUE\t/\tFALSE\t1893456000\ta\tb\nh\tFALSE\t/\tTRUE\t0\ta\n",
            "h\tTRUE\t/\tFALSE\t1e99\ta\tb",
        ]
    ) { text in _ = try? CookieFile(text: text, name: "") },
    FuzzTarget(
        "answer",
        seeds: [
            "<!DOCTYPE html><title>No &amp; no</title><script>a</script>", "<?xml?><Error><Message>m</Message></Error>",
            "<s:message xmlns:s='x'><![CDATA[m]]></s:message>", #"{"errors":[{"detail":"d"}],"title":"t"}"#,
            " plain \n text",
            "<html><!-- a <b> --><style>x</style>&lt;&nbsp;",
        ]
    ) { bytes in
        guard let url = URL(string: "http://h/") else { return }
        for type in ["text/html", "application/json", "text/xml", "text/plain"] {
            let head = ResponseHead(statusCode: 500, headers: ["Content-Type": type], url: url)
            guard let line = AnswerText(Data(bytes), of: head)?.line else { continue }
            precondition(!line.isEmpty && line.utf8.count <= 200)
            precondition(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
        }
    },
    FuzzTarget(
        text: "arguments",
        seeds: [
            "-o\na\nhttp://h/", "--limit-rate=5M\n-j\n0\n--", "upload\n-r\n--header\nA: b\nx\nhttp://h/",
            "--shard=1/2\n-i\n-",
            "--checksum\nsha256:00", "--retry=99999999999999999999\n--timeout=1e400\n--proxy=h:1\n--rate=60/4s",
        ]
    ) { text in
        let words = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        // A password is asked for at the terminal.
        if words.contains(where: { $0.contains("-u") || $0.contains("user") }) { return }
        do throws(UsageError) { _ = try Invocation(arguments: words) } catch {
            precondition(!error.message.isEmpty)
        }
    },
]

/// Ends the process if what a list says is not kept when it is written and read again.
private func check(list bytes: [UInt8], at url: URL? = nil) {
    let store = ListStore()
    let source = ListSource(url: url, content: bytes)
    var list = URLList(store.append(bytes, from: source), of: store, name: "list")
    while let item = list.next() {
        guard case .entry(let entry, let lines) = item else { continue }
        let number = store.addEntry(lines)
        precondition(store[number] == entry, "An entry is not parsed as before.")
        for part in entry.path ?? [] { precondition(!["", ".", ".."].contains(part) && !part.contains("/")) }
        precondition(entry.size ?? 0 >= 0 && entry.stage >= 0 && source.fault(in: entry) == nil)
        // The fields of a header are an object in JSON, so their order is that of their names.
        for text in source.isJSON ? [entry.line, JSONLine.text(entry)] : [entry.line] {
            let again = ListStore()
            let line = Array((text + "\n").utf8)
            var other = URLList(again.append(line, from: ListSource(content: line)), of: again, name: "list")
            guard case .entry(let same, _)? = other.next() else { preconditionFailure("A line is not read: \(text)") }
            precondition(same == entry, "A line is not read as it was written: \(text)")
        }
    }
}
