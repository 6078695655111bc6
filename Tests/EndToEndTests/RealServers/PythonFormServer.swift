import Foundation

/// A Python program on 127.0.0.1 that answers each form with what its own parser has found in it.
///
/// Python's standard library alone, and of that the parser for mail (`cgi` is gone since 3.13): nothing that this
/// library's forms could have been fitted to.
final class PythonFormServer {
    struct Failure: Error {
        let description: String
    }

    /// One part of a form, as Python sees it.
    struct Part: Decodable, Equatable {
        var name: String
        var fileName: String?
        var type: String?
        var content: Data
    }

    /// What Python answers.
    struct Answer: Decodable {
        var parts: [Part]
        /// What the parser had to complain about.
        var defects: [String]
    }

    /// Where the program is; `nil` when it is not installed.
    static let program: URL? = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"]
        .map { URL(filePath: $0) }.first {
            FileManager.default.isExecutableFile(atPath: $0.path(percentEncoded: false))
        }

    static var isInstalled: Bool { program != nil }

    let url: URL
    private let server: SpawnedServer

    init() throws {
        guard let program = Self.program else { throw Failure(description: "python3 is not installed") }
        // It tells its port in one line as soon as it listens.
        server = try SpawnedServer([program.path(percentEncoded: false), "-c", Self.script], readyAt: "\n")
        guard let port = Int(server.greeting.trimmingCharacters(in: .whitespacesAndNewlines)),
            let url = URL(string: "http://127.0.0.1:\(port)/")
        else {
            server.stop()
            throw Failure(description: "python3 did not start: \(server.greeting)")
        }
        self.url = url
    }

    /// Ends the program.
    func stop() { server.stop() }

    private static let script = #"""
        import base64, email.parser, email.policy, http.server, json, re, sys

        def parameter(name, disposition):
            found = re.search(r'; %s="([^"]*)"' % name, disposition)
            # What a form's sender must escape, and nothing else.
            return found and re.sub("%(22|0D|0A)", lambda code: chr(int(code[1], 16)), found[1])

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                head = b"Content-Type: " + self.headers["Content-Type"].encode() + b"\r\n\r\n"
                message = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + body)
                parts = []
                for part in message.iter_parts():
                    fields = {
                        name.lower(): value.encode("ascii", "surrogateescape").decode("utf-8")
                        for name, value in part.raw_items()
                    }
                    disposition = fields.pop("content-disposition")
                    assert disposition.startswith("form-data; ")
                    content = part.get_payload(decode=True)
                    parts.append({
                        "name": parameter("name", disposition),
                        "fileName": parameter("filename", disposition),
                        "type": fields.pop("content-type", None),
                        "content": base64.b64encode(content).decode(),
                    })
                    assert not fields
                defects = [str(defect) for part in message.walk() for defect in part.defects]
                answer = json.dumps({"parts": parts, "defects": defects}).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *arguments):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        print(server.server_address[1], flush=True)
        server.serve_forever()
        """#
}
