import Foundation
import TestSupport
import Testing

@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: OpenSSLServer.isInstalled, "openssl is not installed"))
struct CertificateOptionTests {
    @Test func `The option --cacert names the trusted authorities, and overrides SSL_CERT_FILE`() async throws {
        let rig = try NetqueueRig()
        let server = try OpenSSLServer(in: rig.folder)
        defer { server.stop() }
        func code(_ options: [String], _ environment: [String: String] = [:]) async throws -> Int32 {
            let arguments =
                ["--no-sizing", "--retries=0", "-o", "copy", "--overwrite"] + options + [server.url("served")]
            return try await rig.run(arguments, environment: environment).exitCode
        }
        #expect(try await code([]) == 1)
        #expect(rig.folder.contents.contains("copy") == false)
        #expect(try await code(["--cacert", "server.pem"]) == 0)
        #expect(try rig.folder.read("copy") == "content")
        #expect(try await code([], ["SSL_CERT_FILE": "server.pem"]) == 0)
        // The option wins.
        #expect(try await code(["--cacert", "client.pem"], ["SSL_CERT_FILE": "server.pem"]) == 1)
        #expect(try await code(["--cacert", "server.pem"], ["SSL_CERT_FILE": "client.pem"]) == 0)
    }

    /// The options of `unshare` with which this process may mount folders that only one program sees, without root if the
    /// system allows it.
    private static let mountOptions = [["--mount"], ["--map-root-user", "--mount"]].first { options in
        (try? SpawnedProgram.run(["/usr/bin/unshare"] + options + ["mount", "--bind", "/tmp", "/tmp"])) == 0
    }

    @Test(.enabled(if: mountOptions != nil, "only root can make a mount namespace"))
    func `The option --cacert leaves out the authorities in the system's folder`() async throws {
        let rig = try NetqueueRig()
        let server = try OpenSSLServer(in: rig.folder)
        defer { server.stop() }
        // libcurl's default is a folder beside a file. The folder alone has the server's authority.
        let script = """
            exec unshare \(Self.mountOptions?.joined(separator: " ") ?? "") sh -ec '
                mkdir -p certs
                cp client.pem certs/ca-certificates.crt
                cp server.pem "certs/$(openssl x509 -in server.pem -noout -hash).0"
                mount --bind certs /etc/ssl/certs
                exec "$@"' sh "$@"
            """
        func run(_ options: String...) async throws -> NetqueueRun {
            let arguments = ["--no-sizing", "--retries=0", "-o", "copy", "--overwrite"] + options
            return try await rig.run(arguments + [server.url("served")], shell: script)
        }
        #expect(try await run().exitCode == 0)
        #expect(try await run("--cacert", "server.pem").exitCode == 0)
        let refused = try await run("--cacert", "client.pem")
        #expect(refused.exitCode == 1 && refused.error.contains("certificate is self-signed"), "\(refused.error)")
    }

    @Test func `The options --cert and --key authenticate the client`() async throws {
        let rig = try NetqueueRig()
        let server = try OpenSSLServer(in: rig.folder, asksForCertificate: true)
        defer { server.stop() }
        try rig.folder.write(try rig.folder.read("client.pem") + rig.folder.read("client.key"), to: "both.pem")
        func code(_ options: String...) async throws -> Int32 {
            let arguments = ["--no-sizing", "--retries=0", "--cacert", "server.pem", "-o", "copy", "--overwrite"]
            return try await rig.run(arguments + options + [server.url("served")]).exitCode
        }
        #expect(try await code() == 1)
        #expect(try await code("--cert", "client.pem", "--key", "client.key") == 0)
        #expect(try await code("--cert", "both.pem") == 0)
        // Not the key of this certificate.
        #expect(try await code("--cert", "client.pem", "--key", "server.key") != 0)
        #expect(try rig.folder.read("copy") == "content")
    }
}
