import Foundation

extension NetworkRequest {
    /// What few requests have.
    struct Extras: Sendable {
        var expectedChecksum: Checksum?
        var validation: ResponseValidation?
        var retryPolicy: RetryPolicy?
        var retryDecider = Secret<(any RetryDecider)?>(nil)
        var adapters = Secret<[any RequestAdapter]>([])
        var processors = Secret<[any ResponseProcessor]>([])
        var credential = Secret<URLCredential?>(nil)
        var sendsCredentialUnasked = true
        var resumeKey: String?
        var splitting: Splitting?
        var stage = 0
        var group: String?
        var minBytesPerSecond: Int?
        var uploadCondition = UploadCondition.always
        var uploadProtocol = UploadProtocol.put
        var mirrors = Secret<[URL]>([])
        var freshLink = FreshLink()
        var tag: String?
        var userInfo = Secret<[String: any Sendable]>([:])
        var foundation = Secret<URLRequest?>(nil)
    }
}
