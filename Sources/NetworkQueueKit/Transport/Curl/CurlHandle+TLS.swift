#if canImport(Glibc)
    import CCurl
    import Foundation

    extension CurlHandle {
        /// Sets the configuration's TLS options.
        ///
        /// libcurl resumes TLS sessions by itself. Before 8.12 each handle resumes only its own sessions; later, any
        /// session of the same multi handle.
        func setTLSOptions() {
            _ = Self.setTLSOptions(configuration, on: easy)
            ccurl_easy_follow_tls(easy)
        }

        /// Sets the configuration's TLS options. Returns the names of the values that libcurl refuses; these options
        /// keep their previous values.
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
                // Otherwise the system's folder of authorities, which many builds of libcurl know, stays trusted. From
                // 8.21 on, libcurl takes no folder for that of the system, so it gets one without authorities. A TLS
                // library without such folders refuses the option, and needs it for nothing.
                for option in [CCURLOPT_CAPATH, CCURLOPT_PROXY_CAPATH] {
                    if CurlLibrary.version >= 0x08_15_00 {
                        _ = ccurl_easy_set_string(easy, option, "/dev/null")
                    } else {
                        _ = ccurl_easy_set_pointer(easy, option, nil)
                    }
                }
            }
            if let client = configuration.clientCertificate {
                set(CCURLOPT_SSLCERT, client.certificateFile.path, "clientCertificate")
                set(CCURLOPT_SSLKEY, client.keyFile.path, "clientCertificate")
                // Without a password, OpenSSL would ask for that of an encrypted key at the terminal and block all
                // transfers. GnuTLS takes any password, even an empty one, to mean that the key is encrypted.
                let noPassword = CurlCapabilities.tlsLibrary.hasPrefix("GnuTLS") ? nil : ""
                if let password = client.password ?? noPassword {
                    set(CCURLOPT_KEYPASSWD, password, "clientCertificate")
                }
            }
            // Replace a malformed pin with one that matches no key, so that pinning stays on.
            if !configuration.pinnedPublicKeys.isEmpty {
                let keys = configuration.pinnedPublicKeys.sorted().map {
                    TransportConfiguration.isPin($0) ? $0 : "sha256//"
                }
                set(CCURLOPT_PINNEDPUBLICKEY, keys.joined(separator: ";"), "pinnedPublicKeys")
            }
            return refused
        }

        /// The TLS fault behind a failure; `nil` if there is none or it is unknown.
        func tlsFault(curlCode: Int32, message: String) -> TLSFault? {
            let client = configuration.clientCertificate
            let words = TLSFault(words: message, hasClientCertificate: client != nil)
            switch curlCode {
            // A receive error. With TLS 1.3 the client has finished its part of the handshake before the server checks
            // its certificate.
            case 56: return TLSFault.alert(in: message, hasClientCertificate: client != nil)
            case 60:
                return words ?? TLSFault(verification: verificationResult, library: CurlCapabilities.tlsLibrary)
            case 58: return client.map { .clientCertificateUnusable($0.refusalReason) }
            // The codes of libcurl 8 and of GnuTLS for an unusable key.
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
