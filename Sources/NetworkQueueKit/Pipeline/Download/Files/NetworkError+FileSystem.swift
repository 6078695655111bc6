import Foundation

extension NetworkError {
    /// The error for what a system call left in `errno`.
    static func fileSystem(_ code: Int32) -> NetworkError {
        NetworkError(.fileSystem, underlying: POSIXErrorCode(rawValue: code).map { POSIXError($0) })
    }
}
