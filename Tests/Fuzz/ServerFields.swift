import Foundation

@testable import NetworkQueueKit

/// The fields of responses, and the URLs in them.
let serverFields = [
    FuzzTarget(
        "head",
        seeds: [
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nETag: \"a\"\r\n\r\n",
            "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/2 206 \r\nContent-Range: bytes 0-4/10\r\n\r\n",
            "HTTP/1.1 401 No\r\nWWW-Authenticate: Digest realm=\"r\", nonce=\"n\", qop=\"auth,auth-int\"\r\n\r\nX: y\r\n",
            "HTTP/1.1 429 Wait\r\nRetry-After: 3\r\nRateLimit: \"a\";r=0;t=30\r\nX-RateLimit-Reset: 1700000000\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        ]
    ) { bytes in
        let parser = ResponseHeadParser()
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if (line + [UInt8(ascii: "\n")]).withUnsafeBytes({ parser.append($0) }) { break }
        }
        guard let url = URL(string: "http://h/"), let head = parser.finish(url: url) else { return }
        check(head)
    },
    FuzzTarget(
        text: "dates",
        seeds: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "Sun, 6 Nov 1994 08:49:37 +0000", "Wed, 09-Jun-2021 10:18:14 GMT",
        ]
    ) { text in
        _ = CookieDate.date(from: Array(text.utf8))
        guard let date = HTTPDate.date(from: text) else { return }
        precondition(HTTPDate.fixdate(from: HTTPDate.text(date)) == date)
    },
    FuzzTarget(
        text: "challenges",
        seeds: [
            "Basic realm=\"a, b\", charset=\"UTF-8\"",
            "Negotiate, Digest realm=x, nonce=\"\\\"\", qop=auth, algorithm=MD5",
            "NTLM YWJj==, Basic", "Digest realm=\"r\", nonce=\"n\", algorithm=SHA-256-sess, userhash=true, stale=TRUE",
        ]
    ) { text in
        for challenge in ChallengeParser.challenges(in: text) {
            precondition(challenge.scheme.utf8.elementsEqual(challenge.scheme.utf8.lowercasedText.utf8))
            _ = DigestChallenge(challenge.parameters)
        }
    },
    FuzzTarget(
        "disposition",
        seeds: [
            "attachment; filename=\"a \\\"b\\\".txt\"", "inline;filename*=UTF-8''%e2%82%ac%20rates;filename=x",
            "attachment; filename=..\\..\\a", "x; filename*=iso-8859-1'en'%A3", "; filename=/etc/passwd.",
        ]
    ) { bytes in
        guard let name = ContentDisposition(bytes).fileName else { return }
        if let safe = SafeFileName.name(of: name) { check(fileName: safe) }
    },
    FuzzTarget(
        text: "ranges",
        seeds: ["bytes 0-4/10", "bytes */10", "bytes 9223372036854775806-9223372036854775807/*", " Bytes 1-2/*"]
    ) { text in
        _ = ContentRange.isImpossible(text)
        switch ContentRange(text) {
        case .part(let first, let last, let total):
            precondition(first >= 0 && first <= last && last < total ?? .max)
            _ = last - first + 1
        case .unsatisfied(let total): precondition(total >= 0)
        case nil: break
        }
    },
    FuzzTarget(
        text: "cookies",
        seeds: [
            "a=b; Path=/; Domain=.example.com; Max-Age=10; Secure; HttpOnly",
            "__Host-a=; expires=Wed, 09 Jun 2021 10:18:14 GMT; SameSite=None", "=; max-age=-99999999999999999999",
        ]
    ) { text in
        guard let cookie = SetCookie(text) else { return }
        precondition(!(cookie.name.isEmpty && cookie.value.isEmpty) && cookie.maximumAge ?? 0 >= 0)
        precondition(cookie.path?.utf8.first ?? UInt8(ascii: "/") == UInt8(ascii: "/"))
    },
    FuzzTarget(
        text: "urls",
        seeds: [
            "http://user:word@h:80/a/../b%2f?c=d#e", "HTTPS:\\\\[::1%25eth0]:65535", "http://127.1/%zz",
            "http://xn--bcher-kva.example/[1]", "//h/x", "?q", "../../a", "http://0x7f.1./;a=b",
        ]
    ) { text in
        guard let base = WebAddress("http://base/a/b?c".utf8) else { preconditionFailure("The base is a URL.") }
        let isKept = URL.originLength(beforeEncodedPathOf: text) != nil
        if let url = URL(webAddress: text) {
            let again = URL(webAddress: url.absoluteString)
            precondition(again?.absoluteString == url.absoluteString, "A URL is not parsed as itself: \(url)")
            precondition(["http", "https"].contains(url.scheme) && url.host()?.isEmpty == false)
            for part in url.safePathComponents { check(fileName: part) }
            check(fileName: url.safeFileName)
            _ = (isKept, url.withoutUserInformation, Origin(url))
        }
        if let address = WebAddress(reference: text.utf8, relativeTo: base) {
            precondition(WebAddress(address.text.utf8)?.text == address.text)
            precondition(!address.requestTarget.utf8.contains { $0 <= 0x20 || $0 == 0x7f })
        }
    },
    FuzzTarget("gzip", bytes: [gzip, Array(gzip[10..<15]), [0x78, 0x9c] + gzip[10..<15] + [0x06, 0x2c, 0x02, 0x15]]) {
        bytes in
        for isGzip in [true, false] {
            let inflater = Inflater(isGzip: isGzip)
            var output = 0
            // In two pieces, so that the first may end anywhere.
            let cut = bytes.count / 3
            for piece in [bytes[..<cut], bytes[cut...]] {
                try? piece.withUnsafeBytes { bytes in
                    try inflater.decode(bytes) { (bytes) throws(NetworkError) in output += bytes.count }
                }
            }
            // Deflate makes at most 1,032 bytes of one.
            precondition(output <= 1032 * bytes.count)
        }
    },
]

/// The text “abc”, compressed.
private let gzip: [UInt8] = [
    0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x4b, 0x4c, 0x4a, 0x06, 0x00, 0xc2, 0x41, 0x24, 0x35, 3, 0, 0, 0,
]

/// Asks a head for all that the library takes from it.
func check(_ head: ResponseHead) {
    let now = Date(timeIntervalSince1970: 1_700_000_000)
    precondition((100...999).contains(head.statusCode))
    precondition(head.expectedContentLength ?? 0 >= 0 && head.rangeLength ?? 0 >= 0)
    precondition(RetryAfter.delay(in: head, now: now) ?? .zero >= .zero)
    precondition(RequestQuota(usedUpIn: head, now: now)?.delay ?? .zero >= .zero)
    precondition(RequestedPause(head)?.hold ?? .zero >= .zero)
    if let name = head.suggestedFileName { check(fileName: name) }
    let validators = Validators(head.headers, now: now)
    precondition(!validators.areUsable || validators.match(head.headers))
    for condition in [NetworkRequest.UploadCondition.ifMissing, .ifDifferent] {
        _ = UploadCheck(condition: condition, length: 5, isHashable: true, file: nil, isElsewhere: false).verdict(
            on: head)
    }
    _ = (try? ServerChallenge.strongest(in: head, isProxy: false), head.description, head.debugDescription)
    _ = (head.isPartial, head.lastModified, head.isQuotaRefusal, ContentCoding(head.headers))
}

/// Ends the process if a name could lead out of its folder, or be a download's own file.
func check(fileName name: String) {
    precondition(!name.isEmpty && name != "." && name != ".." && name.utf8.count <= SafeFileName.maximumLength)
    precondition(!name.utf8.contains { $0 < 0x20 || $0 == 0x7f || $0 == UInt8(ascii: "/") })
    precondition(!name.hasSuffix(".nqk.part") && !name.hasSuffix(".nqk.part.info"))
}
