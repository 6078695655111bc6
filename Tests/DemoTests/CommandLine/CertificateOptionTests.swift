import Foundation
import TestSupport
import Testing

@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: OpenSSLServer.isInstalled, "openssl is not installed"))
struct CertificateOptionTests {
    @Test func `The option --cacert names the trusted authorities, and overrides SSL_CERT_FILE`() async throws {
        let folder = try TemporaryFolder()
        let server = try OpenSSLServer(in: folder)
        defer { server.stop() }
        func code(_ options: [String], _ environment: [String: String] = [:]) async throws -> Int32 {
            let arguments =
                ["--no-sizing", "--retries=0", "-o", "copy", "--overwrite"] + options + [server.url("served")]
            return try await NetqueueRun.run(arguments, in: folder, environment: environment).exitCode
        }
        #expect(try await code([]) == 1)
        #expect(folder.contents.contains("copy") == false)
        #expect(try await code(["--cacert", "server.pem"]) == 0)
        #expect(try folder.read("copy") == "content")
        #expect(try await code([], ["SSL_CERT_FILE": "server.pem"]) == 0)
        // The option wins.
        #expect(try await code(["--cacert", "client.pem"], ["SSL_CERT_FILE": "server.pem"]) == 1)
        #expect(try await code(["--cacert", "server.pem"], ["SSL_CERT_FILE": "client.pem"]) == 0)
    }

    @Test func `The options --cert and --key authenticate the client`() async throws {
        let folder = try TemporaryFolder()
        let server = try OpenSSLServer(in: folder, asksForCertificate: true)
        defer { server.stop() }
        try folder.write(try folder.read("client.pem") + folder.read("client.key"), to: "both.pem")
        func code(_ options: String...) async throws -> Int32 {
            let arguments = ["--no-sizing", "--retries=0", "--cacert", "server.pem", "-o", "copy", "--overwrite"]
            return try await NetqueueRun.run(arguments + options + [server.url("served")], in: folder).exitCode
        }
        #expect(try await code() == 1)
        #expect(try await code("--cert", "client.pem", "--key", "client.key") == 0)
        #expect(try await code("--cert", "both.pem") == 0)
        // Not the key of this certificate.
        #expect(try await code("--cert", "client.pem", "--key", "server.key") != 0)
        #expect(try folder.read("copy") == "content")
    }
}
