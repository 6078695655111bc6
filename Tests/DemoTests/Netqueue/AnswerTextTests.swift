import Foundation
import NetworkQueueKit
import Testing

@testable import netqueue

struct AnswerTextTests {
    private func line(_ content: String, _ type: String? = nil, status: Int = 403) throws -> String? {
        var headers = HTTPHeaders()
        headers["Content-Type"] = type
        let url = try #require(URL(string: "http://a.test/x"))
        return AnswerText(Data(content.utf8), of: ResponseHead(statusCode: status, headers: headers, url: url))?.line
    }

    @Test(
        arguments: [
            ("<!DOCTYPE HTML><html><head><TITLE>\n Quota &amp;lt;\nused </TITLE></head><body>x", "Quota &lt; used"),
            (
                "<html><style>p { a: b }</style><script>if (1 < 2) {}</SCRIPT><!-- <p>no -->\n<h1>Locked</h1> by Ann",
                "Locked"
            ),
            (
                "<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>",
                "Request has expired"
            ),
            (
                "<?xml version=\"1.0\"?>\n<d:error xmlns:d=\"DAV:\"><s:message>No \"x\" here</s:message></d:error>",
                "No \"x\" here"
            ),
            ("<?xml version=\"1.0\"?><a><b>one</b><c><![CDATA[<two>]]></c></a>", "one <two>"),
            (
                "{\"type\": \"about:blank\", \"title\": \"Forbidden\", \"detail\": \"Your plan ended\"}",
                "Your plan ended"
            ),
            ("{\"title\": \"No plan\", \"status\": 403}", "No plan"),
            ("{\"message\": \"Bad credentials\"}", "Bad credentials"),
            ("{\"error\": {\"code\": 3, \"message\": \"too old\"}}", "too old"),
            ("{\"error\": \"denied\", \"error_description\": \"token expired\"}", "token expired"),
            ("{\"errors\": [{\"detail\": \"first\"}, {\"detail\": \"second\"}]}", "first"),
            ("{\"code\": 17}", "{\"code\": 17}"), ("{\"message\": \"cut", "{\"message\": \"cut"),
            ("plain\n\ttext", "plain text"), ("a < b", "a < b"), ("<html", nil), ("<html><title", nil), (" \n", nil),
        ] as [(String, String?)])
    func `An answer is told by its words`(content: String, words: String?) throws {
        #expect(try line(content) == words)
    }

    @Test func `The type of the content tells the form, where its beginning does not`() throws {
        #expect(try line("<h1>Sorry</h1><p>later</p>", "text/html; charset=utf-8") == "Sorry")
        #expect(try line("<e><message>later</message></e>", "application/problem+xml") == "later")
        #expect(try line("[{\"message\": \"later\"}]", "application/json") == "later")
        #expect(try line("<h1>Sorry</h1>", "text/plain") == "<h1>Sorry</h1>")
    }

    @Test(arguments: [
        "404 Not Found", "Not found", "404: Not Found\n", "<html><title>Error 404 (Not Found)</title>", "404",
    ])
    func `A text that repeats the status is left out`(content: String) throws {
        #expect(try line(content, status: 404) == nil)
    }

    @Test func `A long text is cut at 200 bytes, and one that steers a terminal is not shown as it is`() throws {
        let long = try #require(try line(String(repeating: "é", count: 150)))
        #expect(long == String(repeating: "é", count: 98) + "…")
        #expect(try line("<title>a\u{1B}[31mb</title>", "text/html") == "a [31mb")
    }

    @Test(arguments: ["PK\u{3}\u{4}\0\u{1}words", "words\0", "<title>\0words</title>", "{\"message\": \"words\"}\0"])
    func `A file that is no text has no words`(content: String) throws {
        #expect(try line(content) == nil)
    }

    @Test func `64 KiB of open tags take no longer than other text`() throws {
        let marks = String(repeating: "<", count: 65_536)
        #expect(try line(marks, "text/html") == nil)
        #expect(try line(String(repeating: "<script>", count: 8192), "text/html") == nil)
    }
}
