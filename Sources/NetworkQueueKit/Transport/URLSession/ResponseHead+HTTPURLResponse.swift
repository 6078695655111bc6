import Foundation

extension ResponseHead {
    /// The head of a session's response. Foundation has lost the order of the fields and joined the duplicates.
    init(_ response: HTTPURLResponse, url: URL) {
        var headers = HTTPHeaders()
        let fields = response.allHeaderFields.compactMap { name, value in
            (name as? String).map { ($0, value as? String ?? "\(value)") }
        }
        for (name, value) in fields.sorted(by: { $0.0 < $1.0 }) { headers.append(name: name, value: value) }
        self.init(statusCode: response.statusCode, headers: headers, url: url)
    }
}
