import Foundation
import TestSupport

/// An authority that issues certificates of any kind, made with `openssl` in a folder that goes away with it.
final class TestAuthority: Sendable {
    static var isInstalled: Bool { PythonServer.isInstalled }

    /// A certificate with its key.
    struct Pair {
        let certificate: URL
        let key: URL
        /// Where both are, for as long as they are needed.
        fileprivate let folder: TemporaryFolder
    }

    enum Validity {
        case now, past, future

        fileprivate var dates: [String] {
            switch self {
            case .now: ["20200101000000Z", "20450101000000Z"]
            case .past: ["20200101000000Z", "20210101000000Z"]
            case .future: ["20440101000000Z", "20450101000000Z"]
            }
        }
    }

    private let folder: TemporaryFolder
    /// The authority's own certificate.
    let certificate: URL

    private static let configuration = """
        [ca]
        default_ca = authority
        [authority]
        database = index.txt
        new_certs_dir = .
        default_md = sha256
        policy = policy
        copy_extensions = copy
        rand_serial = yes
        unique_subject = no
        [policy]
        commonName = supplied
        """

    init() throws {
        folder = try TemporaryFolder()
        certificate = folder.file("authority.pem")
        try folder.write(Self.configuration, to: "authority.cnf")
        try folder.write("", to: "index.txt")
        try run(
            """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout authority.key \
            -out authority.pem -days 2 -subj "/CN=Authority $$"
            """)
    }

    /// Issues a certificate.
    ///
    /// - Parameters:
    ///   - name: its file's, and the common name of its owner.
    ///   - subject: what it is for, such as `DNS:host.test`.
    func issue(_ name: String, for subject: String = "IP:127.0.0.1", validity: Validity = .now) throws -> Pair {
        try run(
            """
            openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$1.key" -out "$1.csr" \
            -subj "/CN=$1" -addext "subjectAltName=$2"
            openssl ca -batch -notext -config authority.cnf -cert authority.pem -keyfile authority.key \
            -startdate "$3" -enddate "$4" -in "$1.csr" -out "$1.pem"
            """, [name, subject] + validity.dates)
        return Pair(certificate: folder.file("\(name).pem"), key: folder.file("\(name).key"), folder: folder)
    }

    /// A certificate that is its own authority.
    func selfSigned(_ name: String) throws -> Pair {
        try run(
            """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$1.key" -out "$1.pem" \
            -days 2 -subj "/CN=$1" -addext subjectAltName=IP:127.0.0.1
            """, [name])
        return Pair(certificate: folder.file("\(name).pem"), key: folder.file("\(name).key"), folder: folder)
    }

    /// A copy of a key that is encrypted.
    func encrypted(_ key: URL, password: String) throws -> URL {
        let copy = folder.file(key.lastPathComponent + ".encrypted")
        try run(#"openssl pkcs8 -topk8 -in "$1" -out "$2" -passout "pass:$3""#, [key.path, copy.path, password])
        return copy
    }

    /// One file with the content of several.
    func joined(_ files: [URL], as name: String) throws -> URL {
        let data = try files.reduce(into: Data()) { $0 += try Data(contentsOf: $1) }
        return try folder.write(data, to: name)
    }

    func write(_ text: String, to name: String) throws -> URL { try folder.write(Data(text.utf8), to: name) }

    private func run(_ script: String, _ arguments: [String] = []) throws {
        let log = folder.file("log").path
        let whole = "cd '\(folder.url.path)' && exec >'\(log)' 2>&1 && set -e\n\(script)"
        guard try SpawnedProgram.run(["/bin/sh", "-c", whole, "sh"] + arguments) == 0 else {
            throw SpawnedServer.Failure(description: (try? folder.read("log")) ?? "openssl cannot be run")
        }
    }
}
