@testable import NetworkQueueKit

extension HTTPHeaders {
    /// What is made of lines as they are received, with their line breaks.
    init(received lines: [UInt8]) {
        let received = ReceivedLines()
        var rest = lines[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: 10).map { $0 + 1 } ?? rest.endIndex
            rest[..<end].withUnsafeBytes { received.append($0) }
            rest = rest[end...]
        }
        self = received.makeHeaders()
    }
}
