#if canImport(Glibc)
    import CCurl
    import Foundation
    import FoundationNetworking

    extension URLError {
        /// The error for a CURLcode other than 0, with the code and libcurl's own words in `userInfo`.
        init(curlCode: Int32, handle: CurlHandle?, hasResponse: Bool) {
            var message = handle?.errorMessage ?? ""
            if message.isEmpty { message = String(cString: ccurl_easy_strerror(curlCode)) }
            self.init(
                Self.code(for: curlCode, handle: handle, hasResponse: hasResponse),
                userInfo: ["CURLcode": Int(curlCode), NSLocalizedDescriptionKey: message])
        }

        private static func code(for curlCode: Int32, handle: CurlHandle?, hasResponse: Bool) -> URLError.Code {
            switch curlCode {
            // HTTP/0.9, that is, an answer without a status line, is reported as an unsupported protocol too.
            case 1: return (handle?.hasConnected ?? hasResponse) ? .badServerResponse : .unsupportedURL
            case 3: return .badURL
            case 5, 6: return .cannotFindHost
            case 7, 45, 89, 96, 97: return .cannotConnectToHost
            case 8, 22, 25, 33, 36: return .badServerResponse
            case 16, 18, 52, 55, 56, 80, 92, 95: return .networkConnectionLost
            case 23: return .cannotWriteToFile
            case 26, 65: return .requestBodyStreamExhausted
            case 28: return .timedOut
            case 35, 59, 64, 77, 82, 101: return .secureConnectionFailed
            case 42: return .cancelled
            case 47: return .httpTooManyRedirects
            case 58: return .clientCertificateRejected
            case 60, 83, 90, 91: return certificateCode(handle)
            case 61: return .cannotDecodeContentData
            case 63, 100: return .dataLengthExceedsMaximum
            case 67, 94: return .userAuthenticationRequired
            case 98: return .clientCertificateRequired
            default: return .unknown
            }
        }

        /// OpenSSL's verification results, as far as Foundation has a code of its own for them.
        private static func certificateCode(_ handle: CurlHandle?) -> URLError.Code {
            switch handle?.certificateVerificationResult {
            case 9: .serverCertificateNotYetValid
            case 10: .serverCertificateHasBadDate
            case 18, 19, 20: .serverCertificateHasUnknownRoot
            default: .serverCertificateUntrusted
            }
        }
    }

    extension CurlHandle {
        fileprivate var hasConnected: Bool {
            var microseconds: Int64 = 0
            return ccurl_easy_get_offset(easy, CCURLINFO_CONNECT_TIME_T, &microseconds) == 0 && microseconds > 0
        }

        fileprivate var certificateVerificationResult: Int {
            var result = 0
            _ = ccurl_easy_get_long(easy, CCURLINFO_SSL_VERIFYRESULT, &result)
            return result
        }
    }
#endif
