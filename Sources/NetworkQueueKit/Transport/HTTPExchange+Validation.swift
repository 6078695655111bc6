import Foundation

extension HTTPExchange {
    /// The gate that every byte of a request passes on its way to the wire: wherever the method, the fields or the name
    /// of the agent, none of them may end its line and begin another (RFC 9112, section 11.1).
    ///
    /// Called before a transport gets the exchange, whichever that is, and by the library's own transports for those who bring
    /// theirs.
    ///
    /// - Parameter userAgent: what the transport adds by itself.
    /// - Throws: an error with an ``UnsendableExchange`` beneath.
    func checkSendable(userAgent: String = "") throws(URLError) {
        guard method == "GET" || !method.isEmpty && method.utf8.allSatisfy(\.isTokenCharacter) else {
            throw .unsendable("The method “\(method.printable)” has characters that HTTP does not allow.")
        }
        if !headers.isEmpty, let name = headers.unsendableName {
            throw .unsendable("The header field “\(name.printable)” has characters that HTTP does not allow.")
        }
        if proxyAuthorization?.utf8.contains(where: \.isForbiddenInValue) == true {
            throw .unsendable("The credential for the proxy has a line break.")
        }
        // A proxy gets it with CONNECT, also where the exchange has a field of its own for the server.
        if !userAgent.isEmpty, userAgent.utf8.contains(where: \.isForbiddenInValue) {
            throw .unsendable("The user agent of the transport's configuration has a line break.")
        }
    }
}

extension URLError {
    fileprivate static func unsendable(_ reason: String) -> URLError {
        URLError(
            .badURL,
            userInfo: [
                NSUnderlyingErrorKey: UnsendableExchange(reason: reason), NSLocalizedDescriptionKey: reason,
            ])
    }
}

extension String {
    /// The beginning, with what is not printable in ASCII as question marks.
    fileprivate var printable: String {
        String(decoding: utf8.prefix(64).map { (0x20..<0x7f).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}
