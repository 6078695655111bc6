import Foundation
import NetworkQueueKit
import TestSupport

/// An endpoint whose value is a text, with each optional method written, which notes what is called.
struct RecordedEndpoint: Endpoint {
    /// What a failure means to it.
    struct Refusal: Error, Equatable {
        let code: NetworkError.Code
        let beneath: String?
        let page: String?
    }

    /// What its parser throws for the content `bad`.
    struct BadContent: Error {}

    let url: URL
    let method = "PATCH"
    let headers: HTTPHeaders = ["X-Kind": "recorded"]
    let body: RequestBody? = .data(Data("sent".utf8))
    /// What was called, in order; those that are called elsewhere than on the callback queue in parentheses.
    let calls = Gathering<String>()

    func makeRequest() -> NetworkRequest {
        calls.add("(makeRequest)")
        var request = standardRequest()
        request.tag = "recorded"
        return request
    }

    func parse(_ response: Response) throws -> String {
        note("parse")
        let text = String(decoding: response.data ?? Data(), as: UTF8.self)
        if text == "bad" { throw BadContent() }
        return text
    }

    func handle(_ value: String) { note("handle \(value)") }

    func parseError(_ error: NetworkError) -> Refusal {
        note("parseError \(error.code)")
        return Refusal(
            code: error.code, beneath: error.underlying.map { "\(type(of: $0))" },
            page: error.response?.data.map { String(decoding: $0, as: UTF8.self) })
    }

    func handle(error: Refusal) { note("handle error \(error.code)") }

    /// Notes a call.
    func note(_ text: String) { calls.add(QueueRig.isOnCallbackQueue ? text : "(\(text))") }
}
