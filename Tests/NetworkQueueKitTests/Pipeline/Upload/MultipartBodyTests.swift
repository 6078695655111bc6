import Foundation
import LoopbackHTTP
import TestSupport
import Testing

@testable import NetworkQueueKit

struct MultipartBodyTests {
    @Test func `Every part of a form has its head, and the form ends with its mark`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Data([0, 255, 13, 10]), to: "photo.png")
        var form = MultipartForm()
        form.append("", name: "empty")
        form.append("\"quoted\"\r\nlines", name: "a\"b\r\nc\rd\né")
        form.append(Data("x".utf8), name: "data")
        form.append(Data("y".utf8), name: "named", fileName: "y.json")
        form.append(Data("z".utf8), name: "typed", fileName: "z\"\r\n", contentType: "text/x")
        form.append(file: file, name: "file")
        form.append(file: file, name: "file", fileName: "other", contentType: "image/x")
        let boundary = form.boundary
        let expected =
            """
            --B\r
            Content-Disposition: form-data; name="empty"\r
            \r
            \r
            --B\r
            Content-Disposition: form-data; name="a%22b%0D%0Ac%0Dd%0Aé"\r
            \r
            "quoted"\r
            lines\r
            --B\r
            Content-Disposition: form-data; name="data"\r
            \r
            x\r
            --B\r
            Content-Disposition: form-data; name="named"; filename="y.json"\r
            Content-Type: application/json\r
            \r
            y\r
            --B\r
            Content-Disposition: form-data; name="typed"; filename="z%22%0D%0A"\r
            Content-Type: text/x\r
            \r
            z\r
            --B\r
            Content-Disposition: form-data; name="file"; filename="photo.png"\r
            Content-Type: image/png\r
            \r
            FILE\r
            --B\r
            Content-Disposition: form-data; name="file"; filename="other"\r
            Content-Type: image/x\r
            \r
            FILE\r
            --B--\r\n
            """
        var bytes = Data()
        for piece in expected.replacing("--B", with: "--" + boundary).split(
            separator: "FILE", omittingEmptySubsequences: false)
        {
            if !bytes.isEmpty { bytes.append(contentsOf: [0, 255, 13, 10]) }
            bytes.append(contentsOf: piece.utf8)
        }
        let body = try MultipartBody(form)
        #expect(try body.allBytes(chunk: 1 << 16) == bytes)
        #expect(body.length == Int64(bytes.count))
        #expect(MultipartBody.currentLength(of: form) == body.length)
        #expect(form.contentType == "multipart/form-data; boundary=\(boundary)")
    }

    @Test func `Boundaries are never the same`() {
        let boundaries = Set((0..<1000).map { _ in MultipartForm().boundary })
        #expect(boundaries.count == 1000)
        // RFC 2046, section 5.1.1, and no character that would have to be quoted.
        #expect(
            boundaries.allSatisfy { $0.utf8.count <= 70 && $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" } })
    }

    @Test(arguments: [1, 7, 100, 65_536])
    func `A form can be read from any offset, in pieces of any size`(chunk: Int) throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed", seed)
        var random = SplitMix64(seed: seed)
        let folder = try TemporaryFolder()
        var form = MultipartForm()
        for number in 0..<20 {
            let data = Data(
                (0..<Int.random(in: 0...9000, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
            if Bool.random(using: &random) {
                form.append(data, name: "\(number)")
            } else {
                form.append(file: try folder.write(data, to: "\(number)"), name: "\(number)")
            }
        }
        let body = try MultipartBody(form)
        let whole = try body.allBytes(chunk: 1 << 16)
        #expect(Int64(whole.count) == body.length)
        #expect(try body.allBytes(chunk: chunk) == whole)
        for _ in 0..<100 {
            let offset = Int.random(in: 0...whole.count, using: &random)
            let rest = try body.bytes(at: offset, chunk: max(chunk, 64), limit: 20_000)
            #expect(rest == whole.dropFirst(offset).prefix(20_000))
        }
    }

    @Test func `A form of a thousand files has one open at a time, and none at the end`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Data("content".utf8), to: "a")
        var form = MultipartForm()
        for number in 0..<1000 { form.append(file: file, name: "\(number)") }
        let body = try MultipartBody(form)
        #expect(openDescriptors(of: file) == 0)
        var offset = 0
        while offset < Int(body.length) {
            offset += try body.bytes(at: offset, chunk: 50, limit: 50).count
            #expect(openDescriptors(of: file) <= 1)
        }
        body.close()
        #expect(openDescriptors(of: file) == 0)
    }

    @Test func `A content type that would smuggle in a field is refused`() throws {
        var form = MultipartForm()
        form.append(Data(), name: "a", contentType: "text/plain\r\nX-Evil: 1")
        let error = #expect(throws: NetworkError.self) { _ = try MultipartBody(form) }
        #expect(error?.code == .malformedRequest)
    }
}
