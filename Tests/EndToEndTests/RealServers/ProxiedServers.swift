#if canImport(Glibc)
    import Foundation
    import LoopbackHTTP
    import NetworkQueueKit
    import TestSupport

    /// Apache as a proxy in front of a server of the test's, in the clear or through a tunnel to nginx, which hands
    /// everything on to that server.
    struct ProxiedServers {
        enum Scheme: CaseIterable {
            case none, basic, digest

            fileprivate var directives: String {
                switch self {
                case .none: ""
                case .basic: "AuthType Basic\nAuthName realm\nAuthUserFile FOLDER/users\nRequire valid-user"
                case .digest: "AuthType Digest\nAuthName realm\nAuthUserFile FOLDER/users\nRequire valid-user"
                }
            }

            fileprivate var users: String { self == .digest ? ProtectedServer.digestMD5 : ProtectedServer.basic }
        }

        let origin: LoopbackServer
        let secure: NginxServer
        let proxy: ApacheServer
        /// For a transport that talks to them.
        let configuration: TransportConfiguration
        private let folder: TemporaryFolder

        /// - Parameters:
        ///   - user: name and password in the proxy's URL, separated by a colon.
        ///   - server: what nginx does before it hands a request on.
        init(_ scheme: Scheme, user: String? = nil, server: String = "") throws {
            origin = try LoopbackServer(fallback: .echo)
            folder = try TemporaryFolder()
            try folder.write(Data(ProtectedServer.basic.utf8), to: "users")
            secure = try NginxServer(
                root: folder.url,
                directives: """
                    client_max_body_size 0; proxy_pass http://127.0.0.1:\(origin.port);
                    \(server.replacingOccurrences(of: "FOLDER", with: folder.url.path))
                    """, isSecure: true)
            proxy = try ApacheServer(
                directives: """
                    ProxyRequests On
                    AllowCONNECT \(secure.port)
                    <Proxy *>
                    \(scheme.directives)
                    </Proxy>
                    """, files: ["users": scheme.users])
            var transport = TransportConfiguration.patient(trusting: secure.certificate)
            transport.proxy = URL(string: "http://\(user.map { "\($0)@" } ?? "")127.0.0.1:\(proxy.port)")
            // Each exchange has to find its connection, and its tunnel, for itself.
            transport.httpVersion = .http1
            configuration = transport
        }

        func stop() {
            // First, because the proxy waits for its tunnels' ends.
            secure.stop()
            proxy.stop()
        }

        func url(_ path: String, isSecure: Bool) -> URL { isSecure ? secure.url(path) : origin.url(path) }
    }
#endif
