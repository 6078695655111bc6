import Foundation

extension Options {
    /// The options, quoted for a shell, that make curl send requests as these options do. Passwords are omitted; curl
    /// asks for them.
    var curlOptions: [String] {
        var options: [(String, String?)] = followsRedirects ? [("-L", nil)] : []
        if let login {
            options += [("--anyauth", nil), ("-u", login.user)]
        } else if usesNetrc {
            options.append(("--netrc", nil))
        }
        if let proxy {
            options.append(("--proxy", URLText.shown(proxy)))
            if let user = proxy.user(percentEncoded: false) {
                options += [("--proxy-anyauth", nil), ("--proxy-user", user)]
            }
        }
        // With an empty file name, curl keeps cookies but reads none.
        if keepsCookies { options.append(("-b", cookies ?? "")) }
        if sentUserAgent.isEmpty { options.append(("-H", "User-Agent:")) }
        options += [
            ("--cacert", trustedCertificates), ("--cert", certificate), ("--key", key),
        ].filter { $0.1 != nil }
        return options.flatMap { [$0.0] + ($0.1.map { [Self.quoted($0)] } ?? []) }
    }

    private static func quoted(_ word: String) -> String {
        let isPlain = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./:@%+,=".contains($0)) }
        return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
