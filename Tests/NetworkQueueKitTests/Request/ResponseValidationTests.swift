import Foundation
import TestSupport
import Testing

@testable import NetworkQueueKit

struct ResponseValidationTests {
    private func code(_ validation: ResponseValidation, _ status: Int, _ headers: HTTPHeaders = [:])
        -> NetworkError.Code?
    {
        validation.rejection(of: ResponseHead(statusCode: status, headers: headers, url: .test("a")))?.code
    }

    @Test func `Only 2xx and 304 are a success by default`() {
        let accepted = (100..<600).filter { code(.successStatus, $0) == nil }
        #expect(accepted == Array(200..<300) + [304])
        #expect(code(.successStatus, 404) == .httpStatus(404))
    }

    @Test func `The validation .none accepts everything, and .statusCodes only the given codes`() {
        #expect((100..<600).allSatisfy { code(.none, $0) == nil })
        #expect((100..<600).filter { code(.statusCodes([404, 200]), $0) == nil } == [200, 404])
        #expect(code(.statusCodes(400..<500), 200) == .httpStatus(200))
    }

    @Test(
        arguments: [
            ("application/json", true), ("Application/JSON; charset=utf-8", true), ("application/json;q=1", true),
            ("application/jsonp", false), ("text/json", false), ("application", false), ("", false),
            ("image/png", true), ("IMAGE/SVG+XML ; a=b", true), ("imagex/png", false), ("*/*", false),
        ])
    func `A media type is compared without case and parameters, a range by its type`(type: String, isAccepted: Bool) {
        let validation = ResponseValidation.contentTypes(["application/json", "image/*"])
        #expect((code(validation, 200, ["Content-Type": type]) == nil) == isAccepted)
    }

    @Test func `A validation for any type accepts a response without a type, too`() {
        #expect(code(.contentTypes(["*/*"]), 200, ["Content-Type": "a/b"]) == nil)
        #expect(code(.contentTypes(["*/*"]), 200) == nil)
    }

    @Test func `A response without a type is rejected, unless it has no content`() {
        let validation = ResponseValidation.contentTypes(["text/plain"])
        #expect(code(validation, 200) == .validation)
        #expect(code(validation, 200, ["Content-Length": "5"]) == .validation)
        #expect(code(validation, 200, ["Content-Length": "0"]) == nil)
        #expect(code(validation, 204) == nil)
        #expect(code(validation, 304) == nil)
        #expect(code(validation, 200, ["Content-Length": "0", "Content-Type": "text/html"]) == .validation)
    }

    @Test func `A wrong status counts before a wrong type`() {
        #expect(code(.contentTypes(["text/plain"]), 500, ["Content-Type": "text/html"]) == .httpStatus(500))
    }

    @Test func `A custom check rejects the responses that it throws about, whatever the status`() throws {
        let own = ResponseValidation.custom { if $0.headers["X-Fine"] == nil { throw Refusal() } }
        #expect(code(own, 500, ["X-Fine": "1"]) == nil)
        let rejection = own.rejection(of: ResponseHead(statusCode: 200, headers: [:], url: .test("a")))
        #expect(rejection?.code == .validation && rejection?.underlying is Refusal)
        #expect(code(.custom { _ in throw NetworkError(.responseTooLarge) }, 200) == .responseTooLarge)
    }

    @Test func `Both of two validations have to accept, and the first is asked first`() {
        let typed = ResponseValidation.statusCodes([200, 404]).and(.custom { _ in throw Refusal() })
        #expect(code(typed, 500) == .httpStatus(500))
        #expect(code(typed, 200) == .validation)
        #expect(code(ResponseValidation.none.and(.successStatus), 404) == .httpStatus(404))
        #expect(code(ResponseValidation.successStatus.and(.none), 200) == nil)
    }

    @Test func `Equal validations are equal, and those with closures only to themselves`() {
        #expect(ResponseValidation.contentTypes(["A/b; c=d"]) == .contentTypes(["a/B"]))
        #expect(ResponseValidation.successStatus != .none)
        let own = ResponseValidation.custom { _ in }
        #expect(own == own && own != .custom { _ in })
    }
}
