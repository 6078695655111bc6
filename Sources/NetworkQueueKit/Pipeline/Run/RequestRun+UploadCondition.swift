import Dispatch
import Foundation

/// What all attempts of an upload know.
struct UploadTurn: Sendable {
    /// Whether the response to a HEAD has led to the decision to send the content.
    var isDecided = false
    /// Whether the server may have stored the content although no attempt has succeeded: an answer was lost.
    var mayHaveArrived = false
    /// The progress of an upload by tus, once it has begun.
    var tus: TusUpload?
    /// The file that keeps the state between runs, and the state that it has.
    var tusPlace: TusPlace?
    var storedState: TusUpload.State?
    /// The failure of a request that first ends its upload at the server.
    var pendingFailure: AttemptFailure?

    /// Notes the end of an attempt that another one follows.
    mutating func noteEnd(of attempt: Attempt) {
        tus?.noteEnd()
        pendingFailure = nil
        guard attempt.step == nil, attempt.stage == .sent, let exchange = attempt.exchange, exchange.method == "PUT",
            attempt.bytesSent > 0 || (exchange.body?.length ?? 0) == 0
        else { return }
        // A gateway answers with a 5xx if it has lost the server's answer.
        if attempt.statusCode.map({ $0 >= 500 }) ?? true { mayHaveArrived = true }
    }
}

/// An exchange of an attempt that does not bring the result.
enum UploadStep: Sendable {
    /// The HEAD before the content is sent.
    case question
    /// The HEAD after a 412, which may be due to the content that an earlier attempt has sent. The response is the
    /// failure if it is not.
    indirect case afterRefusal(ResponseHead, Data)
    indirect case tus(TusUpload.Step)
}

/// Sends content only if the server needs it.
extension RequestRun {
    /// Whether a HEAD comes before the content.
    var asksBeforeUpload: Bool {
        request.uploadCondition != .always && !upload.isDecided && !upload.mayHaveArrived
    }

    /// Whether a response is for ``advanceUpload(_:_:)``.
    func isUploadAnswer(_ head: ResponseHead, to exchange: HTTPExchange) -> Bool {
        if attempt.step != nil { return true }
        return head.statusCode == 412 && request.uploadCondition == .ifMissing && exchange.method == "PUT"
    }

    /// Starts another exchange of the attempt.
    func take(_ step: UploadStep?, _ request: NetworkRequest) {
        attempt.begin(step)
        prepare(request)
    }

    /// Sends the request of a step.
    func sendStep(_ request: NetworkRequest) {
        do throws(NetworkError) {
            var exchange = try HTTPExchange(request)
            exchange.pacer = pacer
            exchange.body = try contentOfStep()
            authentication.adoptCredential(of: self.request.url)
            perform(exchange)
        } catch {
            fail(AttemptFailure(error: error))
        }
    }

    /// Continues after the response to a step, or after a 412.
    func advanceUpload(_ head: ResponseHead, _ page: BodyExcerpt) {
        switch attempt.step {
        case .tus(let step): advanceTus(step, head, page.data)
        case .question: judgeUpload(head)
        case .afterRefusal(let refusal, let page):
            if head.statusCode == 200, head.expectedContentLength == bodyLength,
                ContentCoding.name(in: head.headers) == nil
            {
                // An earlier attempt has sent it.
                delegate.requestDid(.didSend(totalBytes: bodyLength, length: bodyLength))
                endUpload(head)
            } else {
                failUpload(refusal, page)
            }
        case nil where upload.mayHaveArrived || body?.wasRepeated == true:
            take(.afterRefusal(head, page.data), outgoing.uploadQuestion)
        case nil: keepUpload(head)
        }
    }

    private func judgeUpload(_ head: ResponseHead) {
        do throws(NetworkError) {
            let content = try preparedContent(of: outgoing)
            let check = UploadCheck(
                condition: request.uploadCondition, length: content?.length ?? 0,
                isHashable: outgoing.body.map(\.isHashable) ?? true, file: outgoing.body?.file,
                isElsewhere: attempt.redirectCount > 0 && head.url.path() != outgoing.url.path())
            switch check.verdict(on: head) {
            case .keep: keepUpload(head)
            case .send: sendContent()
            case .sendUncompared:
                if environment.hasMonitors { tellMonitors { $0.attempt(willUploadUncompared: head, in: $1) } }
                sendContent()
            case .hash(let algorithm, let digest): hash(content, algorithm, expecting: digest, head)
            }
        } catch {
            fail(AttemptFailure(error: error))
        }
    }

    /// Sends the content if its digest differs. Hashing takes as long as reading the file.
    private func hash(
        _ content: (any ExchangeBody)?, _ algorithm: HashAlgorithm, expecting digest: [UInt8], _ head: ResponseHead
    ) {
        pause { step in
            FileSink.queue.async { [self] in
                let content = content ?? DataBody(data: Data())
                let own = Result { () throws(NetworkError) in
                    try content.digest(algorithm, of: 0..<content.length) { !isStopWanted }
                }
                _ = body?.endExchange()
                guard takesAnswer(step) else { return }
                switch own {
                case .success(nil): stopForPause()
                case .success(digest): keepUpload(head)
                case .success: sendContent()
                case .failure(let error): fail(AttemptFailure(error: error))
                }
            }
            return nil
        }
    }

    private func sendContent() {
        upload.isDecided = true
        take(nil, outgoing.withUploadCondition)
    }

    /// Ends the request without sending its content.
    private func keepUpload(_ head: ResponseHead) {
        delegate.requestDid(.willSend(length: bodyLength, resumed: bodyLength))
        endUpload(head, isKept: true)
    }

    /// Ends the request, whose content the server has.
    func endUpload(_ head: ResponseHead, isKept: Bool = false) {
        delegate.requestDid(.willReceive(head, resumed: 0, length: 0))
        let data = request.destination.isMemory ? Data() : nil
        didDeliver(.success(StoredContent(data: data, isKept: isKept)), head)
    }

    /// Fails the attempt because of a response.
    func failUpload(_ head: ResponseHead, _ page: Data) {
        attempt.isRejected = true
        fail(
            AttemptFailure(
                result: RequestResult(head: head, data: page), error: NetworkError(.httpStatus(head.statusCode))))
    }

    /// The length of the content, which was measured before.
    private var bodyLength: Int64 { (try? preparedContent(of: outgoing))?.length ?? 0 }
}

extension RequestBody {
    /// Whether the content may be read before it is sent. A stream is the user's code, which expects the transport.
    fileprivate var isHashable: Bool {
        switch content {
        case .data, .file: true
        case .multipart, .stream: false
        }
    }
}

extension Attempt {
    /// Begins another exchange that a response has led to.
    mutating func begin(_ step: UploadStep?) {
        self.step = step
        bytesSentBefore += bytesSent
        bytesSent = 0
        takesResponseAsItIs = false
        redirectCount = 0
        demandCount = 0
        statusCode = nil
    }
}
