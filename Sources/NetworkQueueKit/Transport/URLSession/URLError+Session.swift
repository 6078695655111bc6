import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLError {
    /// The error of a session's task.
    init(session error: (any Error)?) {
        if let error = error as? URLError {
            self = error
        } else {
            self.init(.unknown, userInfo: error.map { [NSUnderlyingErrorKey: $0 as NSError] } ?? [:])
        }
    }
}
