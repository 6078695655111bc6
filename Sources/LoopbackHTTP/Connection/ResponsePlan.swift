import Foundation

/// The response to one request as bytes, stops and delays, so that sending it takes no further decisions.
struct ResponsePlan {
    /// An action at an offset of the body.
    enum Action {
        case pass(Gate)
        case stall
        case drop(ScriptedResponse.HangUp)
    }

    /// The heads of the interim responses, as text.
    private(set) var interim = ""
    let delayBeforeHead: Duration
    let gatesBeforeHead: [Gate]
    /// Status line and headers; empty for a raw response.
    private(set) var head: [UInt8] = []
    private(set) var delayBeforeBody: Duration
    private(set) var source: BodySource
    /// The range of the source to send. Body offsets count from its start.
    private(set) var range: Range<Int64>
    /// The maximum content bytes per chunk; `nil` if the body is not chunked.
    private(set) var chunkSize: Int64?
    /// The text after the content: the last chunk and the trailers.
    private(set) var terminator = ""
    let bytesPerSecond: Int64?
    /// The actions, sorted by offset.
    private(set) var stops: [(offset: Int64, action: Action)] = []
    /// The offset at which the client knows that the body is complete; `nil` if it learns this from a terminator or
    /// from the connection's close.
    private(set) var completionOffset: Int64?
    /// Whether the server closes the connection after the response.
    private(set) var closes: Bool
    /// Whether the response may have a body; true even if the body is empty.
    private var sendsBody = true

    init(_ response: ScriptedResponse, to request: ReceivedRequest, allowsKeepAlive: Bool) {
        delayBeforeHead = response.delayBeforeHead
        delayBeforeBody = response.delayBeforeBody
        bytesPerSecond = response.bytesPerSecond
        gatesBeforeHead = response.gates.filter { $0.point == .beforeHead }.map(\.gate)
        source = response.content.source(for: request)
        range = 0..<source.size
        closes = response.closesConnection || !allowsKeepAlive
        for interim in response.interim {
            self.interim += "HTTP/1.1 \(interim.status) \(StatusPhrase.of(interim.status))\r\n"
            for field in interim.headers { self.interim += "\(field.name): \(field.value)\r\n" }
            self.interim += "\r\n"
        }
        if case .raw = response.content {
            completionOffset = closes ? nil : range.upperBound
        } else {
            planHTTP(response, request)
        }
        // Without a body, skip the stops in it. Otherwise a HEAD would stall the next request.
        if sendsBody { planStops(response) } else { delayBeforeBody = .zero }
    }

    private mutating func planHTTP(_ response: ScriptedResponse, _ request: ReceivedRequest) {
        var head = ResponseHeadWriter(status: response.status, reason: response.reason, headers: response.headers)
        applyRange(response, request, to: &head)
        let size = range.upperBound - range.lowerBound
        sendsBody = request.method != "HEAD" && head.status != 204 && head.status != 304
        switch response.framing {
        case _ where head.status == 204: break
        case .contentLength:
            // A 304 would declare the length of content that is not sent; send it only if the script asks for it.
            if head.status == 304, response.declaredLength == nil { break }
            head.add("Content-Length", response.declaredLength?.headerValue ?? String(size))
            if sendsBody { planLength(response.declaredLength, size) }
        case .chunked(let chunkSize, let trailers):
            head.add("Transfer-Encoding", "chunked")
            if let lie = response.declaredLength { head.add("Content-Length", lie.headerValue) }
            if !trailers.isEmpty, response.headers["Trailer"] == nil {
                head.add("Trailer", trailers.map(\.name).joined(separator: ", "))
            }
            guard sendsBody else { break }
            self.chunkSize = Int64(chunkSize)
            terminator = "0\r\n" + trailers.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n"
        case .untilClose:
            if let lie = response.declaredLength { head.add("Content-Length", lie.headerValue) }
            closes = true
        }
        if !sendsBody {
            range = 0..<0
            completionOffset = 0
        }
        if closes {
            head.add("Connection", "close")
        } else if request.version == "HTTP/1.0" {
            head.add("Connection", "keep-alive")
        }
        self.head = head.bytes
    }

    /// Closes the connection after a false length, because client and server disagree on where the next response
    /// begins.
    private mutating func planLength(_ declared: ScriptedResponse.DeclaredLength?, _ size: Int64) {
        switch declared {
        case nil: completionOffset = size
        case .bytes(let count):
            completionOffset = count
            if count != size { closes = true }
        case .text: closes = true
        }
    }

    private mutating func applyRange(
        _ response: ScriptedResponse, _ request: ReceivedRequest, to head: inout ResponseHeadWriter
    ) {
        if let etag = response.etag { head.add("ETag", etag) }
        if let lastModified = response.lastModified { head.add("Last-Modified", lastModified) }
        if request.method == "GET", response.isKnown(since: request.headers["If-Modified-Since"]) {
            return head.become(304)
        }
        guard response.acceptsRanges else { return }
        head.add("Accept-Ranges", "bytes")
        guard request.method == "GET", response.status == 200, response.validates(request.headers["If-Range"]) else {
            return
        }
        let size = source.size
        switch ByteRange(request.headers["Range"], size: size) {
        case .ignored: break
        case .part(let part):
            head.become(206)
            head.add("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)")
            range = part
        case .unsatisfiable:
            head.become(416)
            head.add("Content-Range", "bytes */\(size)")
            range = 0..<0
        }
    }

    private mutating func planStops(_ response: ScriptedResponse) {
        let size = range.upperBound - range.lowerBound
        for (gate, point) in response.gates {
            switch point {
            case .beforeRequestBody, .beforeHead: break
            case .afterHead: stops.append((0, .pass(gate)))
            case .afterBody(let count): stops.append((min(max(0, count), size), .pass(gate)))
            }
        }
        switch response.ending {
        case .complete: break
        case .stall(let count): stops.append((min(max(0, count), size), .stall))
        case .drop(let count, let hangUp):
            stops.append((min(max(0, count), size), .drop(hangUp)))
            closes = true
        }
        // At one offset, gates come before the ending. A stable order keeps gates at one offset in the script's order.
        stops = stops.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }.map(
            \.element)
    }
}
