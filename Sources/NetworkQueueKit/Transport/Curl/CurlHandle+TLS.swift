#if canImport(Glibc)
    import CCurl
    import Foundation

    extension CurlHandle {
        /// Sets what the configuration says of TLS.
        ///
        /// libcurl resumes sessions by itself: before 8.12 each handle those that it has had, from then on any of the
        /// same multi handle.
        func setTLSOptions() {
            _ = Self.setTLSOptions(configuration, on: easy)
            ccurl_easy_follow_tls(easy)
        }

        /// Sets what the configuration says of TLS; returns the names of the values that libcurl refuses, which it
        /// leaves at what they were.
        static func setTLSOptions(_ configuration: TransportConfiguration, on easy: UnsafeMutableRawPointer) -> [String]
        {
            var refused: [String] = []
            func check(_ code: Int32, _ name: String) {
                if code != 0 { refused.append(name) }
            }
            func set(_ option: ccurl_option, _ text: String, _ name: String) {
                check(text.withCString { ccurl_easy_set_string(easy, option, $0) }, name)
            }
            let version =
                switch configuration.minTLSVersion {
                case .tls12: CCURL_SSLVERSION_TLSv1_2
                case .tls13: CCURL_SSLVERSION_TLSv1_3
                }
            for option in [CCURLOPT_SSLVERSION, CCURLOPT_PROXY_SSLVERSION] {
                check(ccurl_easy_set_long(easy, option, Int(version)), "minTLSVersion")
            }
            if let file = configuration.trustedCertificatesFile {
                for option in [CCURLOPT_CAINFO, CCURLOPT_PROXY_CAINFO] {
                    set(option, file.path, "trustedCertificatesFile")
                }
            }
            if let client = configuration.clientCertificate {
                set(CCURLOPT_SSLCERT, client.certificateFile.path, "clientCertificate")
                set(CCURLOPT_SSLKEY, client.keyFile.path, "clientCertificate")
                // Without one, OpenSSL would ask at the terminal for that of an encrypted key, and all transfers would
                // wait. GnuTLS takes any password, an empty one included, to mean that the key is encrypted.
                let noPassword = CurlCapabilities.tlsLibrary.hasPrefix("GnuTLS") ? nil : ""
                if let password = client.password ?? noPassword {
                    set(CCURLOPT_KEYPASSWD, password, "clientCertificate")
                }
            }
            // One that is none must not be taken for no pin at all.
            if !configuration.pinnedPublicKeys.isEmpty {
                let keys = configuration.pinnedPublicKeys.sorted().map {
                    TransportConfiguration.isPin($0) ? $0 : "sha256//"
                }
                set(CCURLOPT_PINNEDPUBLICKEY, keys.joined(separator: ";"), "pinnedPublicKeys")
            }
            return refused
        }

        /// What is wrong with TLS; `nil` where it is something else, or cannot be told.
        func tlsFault(curlCode: Int32, message: String) -> TLSFault? {
            let client = configuration.clientCertificate
            let words = TLSFault(words: message, hasClientCertificate: client != nil)
            switch curlCode {
            // Over the received data of a connection: with TLS 1.3 the client has done its part of the handshake by the
            // time at which the server looks at its certificate.
            case 56: return TLSFault.alert(in: message, hasClientCertificate: client != nil)
            case 60:
                return words ?? TLSFault(verification: verificationResult, library: CurlCapabilities.tlsLibrary)
            case 58: return client.map { .clientCertificateUnusable($0.refusalReason) }
            // The codes for a key that cannot be used, of libcurl 8 and of GnuTLS.
            case 35, 43:
                let isAboutKey = ["private key file", "key file:"].contains { message.contains($0) }
                return isAboutKey ? client.map { .clientCertificateUnusable($0.refusalReason) } : words
            case 90: return .publicKeyNotPinned
            case 77: return .trustedCertificatesUnusable(path: configuration.trustedCertificatesFile?.path)
            default: return nil
            }
        }

        private var verificationResult: Int {
            var result = 0
            _ = ccurl_easy_get_long(easy, CCURLINFO_SSL_VERIFYRESULT, &result)
            return result
        }
    }
#endif
