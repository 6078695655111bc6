// Certificates and the trust in them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
@_exported import Foundation
public final class SecTrust: @unchecked Sendable {}
public final class SecCertificate: @unchecked Sendable {}
public class CFError {}
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool { false }
// A CFArray, which is bridged with a cast.
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> AnyObject? { nil }
public func SecCertificateCopyData(_ certificate: SecCertificate) -> Data { Data() }
extension URLProtectionSpace { public var serverTrust: SecTrust? { nil } }
