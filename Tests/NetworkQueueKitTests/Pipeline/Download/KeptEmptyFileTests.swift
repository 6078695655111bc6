import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

/// What a cut of power leaves of a small file: its name, its date, and none of its bytes.
@Suite(.timeLimit(.minutes(10)))
struct KeptEmptyFileTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let moment = Date(timeIntervalSince1970: 784_111_777)
    private let rig: QueueRig<NetworkQueue>

    init() throws {
        rig = QueueRig.started()
    }

    private func write(_ text: String, modified: Date = Self.moment) throws {
        try rig.folder.write(text, to: "file")
        let attributes = [FileAttributeKey.modificationDate: modified]
        try FileManager.default.setAttributes(attributes, ofItemAtPath: rig.folder.file("file").path)
    }

    private func request(otherwise: Destination.StalePolicy) -> NetworkRequest {
        rig.request(onConflict: .keepIfCurrent(otherwise: otherwise))
    }

    private func answer(_ text: String, date: String? = Self.date, hasLength: Bool = true) -> ScriptedTransport.Answer {
        var headers: HTTPHeaders = [:]
        if let date { headers["Last-Modified"] = date }
        if hasLength { headers["Content-Length"] = "\(text.utf8.count)" }
        return .text(text, headers)
    }

    private var conditions: [String?] { rig.transport.exchanges.map { $0.exchange.headers["If-Modified-Since"] } }

    @Test(arguments: [Destination.StalePolicy.fail, .overwrite, .rename], [true, false])
    func `An empty file with the date of content that is not empty is fetched again, whatever the policy`(
        policy: Destination.StalePolicy, hasLength: Bool
    ) async throws {
        try write("")
        let operation = await rig.run(request(otherwise: policy), answers: [answer("content", hasLength: hasLength)])
        #expect(operation.error == nil && operation.fileURL == rig.folder.file("file"))
        #expect(try rig.folder.read("file") == "content" && rig.folder.contents == ["file"])
        #expect(conditions == [nil])
    }

    @Test func `An empty file is replaced if the size or the checksum of its content is known, too`() async throws {
        for isSize in [true, false] {
            try write("")
            var request = request(otherwise: .fail)
            if isSize { request.expectedDownloadSize = 10 }
            if !isSize { request.expectedChecksum = .md5("781E5E245D69B566979B86E28D23F2C7") }
            let operation = await rig.run(request, answers: [answer("0123456789")])
            #expect(operation.error == nil)
            #expect(try rig.folder.read("file") == "0123456789")
        }
    }

    @Test func `An empty file is kept if its content is empty`() async throws {
        try write("")
        let operation = await rig.run(request(otherwise: .fail), answers: [answer("")])
        #expect(try operation.result?.get().wasKept == true)
    }

    @Test(arguments: ["Sun, 06 Nov 1994 08:49:38 GMT", nil])
    func `An empty file with another date, or without one to compare, obeys the policy`(date: String?) async throws {
        try write("")
        let operation = await rig.run(request(otherwise: .fail), answers: [answer("content", date: date)])
        #expect(operation.error?.code == .fileSystem)
        #expect(try rig.folder.read("file") == "" && rig.folder.contents == ["file"])
    }

    @Test func `A 304 with another length than the file's is no proof`() async throws {
        try write("conten")
        let same: HTTPHeaders = ["Last-Modified": Self.date, "Content-Length": "7"]
        let operation = await rig.run(request(otherwise: .overwrite), answers: [.status(304, same), answer("content")])
        #expect(try operation.result?.get().wasKept == false)
        #expect(try rig.folder.read("file") == "content")
        #expect(conditions == [Self.date, nil])
    }

    @Test(arguments: [nil, "0", "7"])
    func `A 304 without a length, with that of its own content or with the file's keeps the file`(length: String?)
        async throws
    {
        try write("content")
        var headers: HTTPHeaders = ["Last-Modified": Self.date]
        if let length { headers["Content-Length"] = length }
        let operation = await rig.run(request(otherwise: .fail), answers: [.status(304, headers)])
        #expect(try operation.result?.get().wasKept == true)
    }
}
