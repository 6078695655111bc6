import Foundation
import NetworkQueueKit

extension NetworkError {
    /// What the system has said, where that is what failed.
    package var posixCode: POSIXErrorCode? { (underlying as? POSIXError)?.code }
}

/// What the system says of what `body` does; `nil` where it succeeds, or fails for another reason.
package func posixCode(of body: () throws -> Void) -> POSIXErrorCode? {
    do {
        try body()
        return nil
    } catch {
        return (error as? NetworkError)?.posixCode
    }
}
