import Foundation

extension Error {
    /// Whether the process or the system had no descriptor to give, which is a reason to wait rather than to fail: as the system says it
    /// (`EMFILE`, `ENFILE`), or beneath what others make of that.
    var isDescriptorShortage: Bool {
        if let error = self as? POSIXError { return POSIXFile.isShortage(error.code.rawValue) }
        if let error = self as? NetworkError { return error.underlying?.isDescriptorShortage ?? false }
        let beneath = (self as? CocoaError)?.errorUserInfo[NSUnderlyingErrorKey] as? any Error
        return beneath?.isDescriptorShortage ?? false
    }
}
