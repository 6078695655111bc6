import Foundation
import LoopbackHTTP
import NetworkQueueKit
import TestSupport

/// A real server that lets only `user` with the password `word` through to a server of the test's, which echoes
/// requests.
struct ProtectedServer {
    enum Scheme: String, CaseIterable {
        case nginxBasic, apacheBasic, apacheDigest, lighttpdDigest

        var isInstalled: Bool {
            switch self {
            case .nginxBasic: NginxServer.isInstalled
            case .apacheBasic, .apacheDigest: ApacheServer.isInstalled
            case .lighttpdDigest: LighttpdServer.isInstalled
            }
        }

        var challenge: AuthenticationChallenge.Scheme {
            switch self {
            case .nginxBasic, .apacheBasic: .basic
            case .apacheDigest, .lighttpdDigest: .digest
            }
        }
    }

    /// The hashes of `user:realm:word`, as `md5sum` and `sha256sum` print them.
    static let digestMD5 = "user:realm:32a9dba5fb691b0268d71d8192c6e4c9\n"
    static let digestSHA256 = "user:realm:51260f50330772f7b823b99df1a9db1c19408d253e7d5e2d35c5000cb04eb6b6\n"
    /// `htpasswd -nbm user word`
    static let basic = "user:$apr1$8SrBBRYx$NBCgU8O8AG/g5mgVElUBF/\n"

    let backend: LoopbackServer
    let port: UInt16
    let stop: () -> Void
    /// Holds what nginx reads.
    private let folder: TemporaryFolder

    init(_ scheme: Scheme) throws {
        let backend = try LoopbackServer(fallback: .echo)
        folder = try TemporaryFolder()
        try folder.write(Data(Self.basic.utf8), to: "users")
        let gateway = "ProxyPass / http://127.0.0.1:\(backend.port)/"
        switch scheme {
        case .nginxBasic:
            let nginx = try NginxServer(
                root: folder.url,
                directives: """
                    auth_basic "realm"; auth_basic_user_file "\(folder.file("users").path)"; client_max_body_size 0;
                    proxy_pass http://127.0.0.1:\(backend.port);
                    """)
            (port, stop) = (nginx.port, nginx.stop)
        case .apacheBasic:
            let apache = try ApacheServer(
                directives: """
                    <Location />
                        AuthType Basic
                        AuthName realm
                        AuthUserFile FOLDER/users
                        Require valid-user
                    </Location>
                    \(gateway)
                    """, files: ["users": Self.basic])
            (port, stop) = (apache.port, apache.stop)
        case .apacheDigest:
            let apache = try ApacheServer(
                directives: """
                    <Location />
                        AuthType Digest
                        AuthName realm
                        AuthUserFile FOLDER/users
                        Require valid-user
                    </Location>
                    \(gateway)
                    """, files: ["users": Self.digestMD5])
            (port, stop) = (apache.port, apache.stop)
        case .lighttpdDigest:
            let lighttpd = try LighttpdServer(
                directives: """
                    auth.backend = "htdigest"
                    auth.backend.htdigest.userfile = "FOLDER/users"
                    auth.require = ("/" => (
                        "method" => "digest", "algorithm" => "SHA-256", "realm" => "realm", "require" => "valid-user"))
                    proxy.server = ("/" => (("host" => "127.0.0.1", "port" => \(backend.port))))
                    """, files: ["users": Self.digestSHA256])
            (port, stop) = (lighttpd.port, lighttpd.stop)
        }
        self.backend = backend
    }

    func url(_ path: String) -> URL {
        URL(string: "http://127.0.0.1:\(port)/\(path)") ?? backend.url
    }
}

extension URLCredential {
    static func test(_ user: String, _ password: String) -> URLCredential {
        URLCredential(user: user, password: password, persistence: .none)
    }
}
