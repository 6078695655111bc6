import Foundation

extension URLError {
    /// The error for that of a session's task.
    ///
    /// - Parameters:
    ///   - url: the URL of the exchange.
    ///   - proxy: the configuration's proxy, whose credentials must not be in the error.
    init(session error: (any Error)?, url: URL, proxy: URL?, policy: SessionPolicy = .current) {
        switch (policy, error) {
        case (_, nil): self.init(.unknown)
        case (.apple, let error?): self.init(apple: error, proxy: proxy)
        case (.linux, let error as URLError): self.init(libcurl: error, url: url, proxy: proxy)
        case (.linux, let error?): self.init(.unknown, userInfo: [NSUnderlyingErrorKey: error as NSError])
        }
    }
}
