import Foundation

/// The exchanges of a tus upload.
extension NetworkRequest {
    /// The fields that an exchange of tus sets by itself.
    private static let tusFieldNames = [
        "Tus-Resumable", "Upload-Offset", "Upload-Length", "Upload-Metadata", "Upload-Checksum", "Upload-Defer-Length",
    ]

    /// The request for a step.
    ///
    /// - Parameters:
    ///   - upload: the URL of the upload, for the steps that need one.
    ///   - length: the length of the file.
    ///   - checksum: the value of `Upload-Checksum`.
    func request(
        for step: TusUpload.Step, upload: URL?, length: Int64, checksum: String? = nil
    ) -> NetworkRequest {
        var request = self
        request.body = nil
        for name in Self.contentFieldNames + Self.tusFieldNames { request.headers.removeAll(named: name) }
        if step != .options { request.headers["Tus-Resumable"] = "1.0.0" }
        switch step {
        case .options: request.method = "OPTIONS"
        case .create:
            request.method = "POST"
            request.headers["Upload-Length"] = "\(length)"
            request.headers["Upload-Metadata"] = headers["Upload-Metadata"] ?? uploadMetadata
        case .ask:
            request.method = "HEAD"
            if let upload { request.url = upload }
        case .piece(let range):
            request.method = "PATCH"
            if let upload { request.url = upload }
            request.headers["Content-Type"] = "application/offset+octet-stream"
            request.headers["Upload-Offset"] = "\(range.lowerBound)"
            request.headers["Upload-Checksum"] = checksum
        case .terminate(let url):
            request.method = "DELETE"
            request.url = url
        }
        return request
    }

    /// The name and the type of the file.
    private var uploadMetadata: String? {
        guard case .file(let file)? = body?.content else { return nil }
        let pairs = [("filename", file.lastPathComponent), ("filetype", body?.contentType ?? "")]
        return pairs.filter { !$0.1.isEmpty }.map { "\($0) \(Data($1.utf8).base64EncodedString())" }
            .joined(separator: ",")
    }
}

/// A part of other content.
struct PieceBody: ExchangeBody {
    let whole: any ExchangeBody
    let range: Range<Int64>

    var length: Int64 { range.upperBound - range.lowerBound }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        let count = Int(min(Int64(buffer.count), length - offset))
        guard count > 0 else { return 0 }
        return try whole.read(
            into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: range.lowerBound + offset)
    }
}

/// What the uploads by tus of a queue share.
final class TusMemory: Sendable {
    /// The maximum number of endpoints. Beyond it, all are forgotten: each is then asked once more.
    static let capacity = 256

    /// What servers offer, by endpoint.
    private let offers = Guarded<[String: TusOffer]>([:])
    /// The latest folder that was cleaned.
    private let cleanedFolder = Guarded<URL?>(nil)

    subscript(endpoint: URL) -> TusOffer? {
        get { offers.withLock { $0[endpoint.absoluteString] } }
        set {
            let endpoint = endpoint.absoluteString
            offers.withLock { offers in
                if offers.count >= Self.capacity, offers[endpoint] == nil { offers = [:] }
                offers[endpoint] = newValue
            }
        }
    }

    /// Whether a folder is to be cleaned: once, before the first upload that uses it.
    func takeCleaning(of folder: URL) -> Bool {
        cleanedFolder.withLock { cleaned in
            defer { cleaned = folder }
            return cleaned != folder
        }
    }
}
