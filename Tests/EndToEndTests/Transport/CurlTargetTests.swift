#if canImport(Glibc)
    import Foundation
    import LoopbackHTTP
    import NetworkQueueKit
    import Testing

    /// What servers get to see of a URL. One handle of libcurl, which takes only what has changed from one URL to the
    /// next, is used again and again.
    @Suite(.timeLimit(.minutes(10)))
    struct CurlTargetTests {
        private static let targets: [(url: String, target: String)] = [
            ("/", "/"), ("/1k", "/1k"), ("/a?b=c", "/a?b=c"), ("/a", "/a"), ("/a?", "/a?"), ("/a?b?c=/d", "/a?b?c=/d"),
            ("", "/"), ("?b", "/?b"), ("#b", "/"), ("//a//b", "//a//b"),
            ("/%2Fa%C3%A4?b=%2f%2F", "/%2Fa%C3%A4?b=%2f%2F"), ("/a%20b", "/a%20b"), ("/a?b=%20", "/a?b=%20"),
            ("/a#b", "/a"), ("/a?b#c?d", "/a?b"), ("/a/../b", "/b"), ("/a/./b/..", "/a/"), ("/.hidden", "/.hidden"),
            ("/a?b=/../c", "/a?b=/../c"), ("/a.b/c..d", "/a.b/c..d"), ("/a:b@c", "/a:b@c"),
            ("/a;b=c,d!$&'()*+", "/a;b=c,d!$&'()*+"),
            ("/" + String(repeating: "long", count: 1000), "/" + String(repeating: "long", count: 1000)),
        ]

        @Test func `Each target arrives, whatever the one before was`() async throws {
            let bench = try TransportBench(.curl)
            bench.server.serve("/*", .text("here"))
            for former in Self.targets {
                for next in Self.targets {
                    bench.server.forgetRequests()
                    for url in [former.url, next.url] {
                        let url = try #require(URL(string: "http://127.0.0.1:\(bench.server.port)\(url)"))
                        #expect(await bench.run(HTTPExchange(url: url)).hasSucceeded)
                    }
                    #expect(bench.server.requests.map(\.target) == [former.target, next.target])
                }
            }
            #expect(bench.server.connectionCount == 1)
        }

        @Test func `Each request goes to its server, however its URL is written`() async throws {
            let bench = try TransportBench(.curl)
            let other = try LoopbackServer()
            for server in [bench.server, other] { server.serve("/*", .text("\(server.port)")) }
            for number in 0..<60 {
                let server = [bench.server, other][number % 3 % 2]
                let start = ["http://127.0.0.1", "HTTP://127.0.0.1", "http://user@127.0.0.1", "http://localhost"][
                    number % 4]
                let target = ["/\(number)?\(number)", "/\(number)%20", "/\(number)"][number % 7 % 3]
                let url = try #require(URL(string: "\(start):\(server.port)\(target)"))
                let transcript = await bench.run(HTTPExchange(url: url))
                #expect(transcript.text == "\(server.port)")
                let request = try #require(server.requests.last)
                #expect(request.target == target)
                #expect(request.headers["Host"] == "\(number % 4 == 3 ? "localhost" : "127.0.0.1"):\(server.port)")
            }
        }

        @Test func `The same target is asked for again if the connection is lost`() async throws {
            let bench = try TransportBench(.curl)
            for round in 0..<3 {
                for name in ["a", "b", "c?d", "e"] {
                    let path = "/\(round)/\(name)"
                    bench.server.serve(path, sequence: name == "a" ? [.text(path)] : [.hangUp, .text(path)])
                    bench.server.forgetRequests()
                    #expect(await bench.get(path).text == path)
                    let count = name == "a" ? 1 : 2
                    #expect(bench.server.requests.map(\.target) == Array(repeating: path, count: count))
                }
            }
        }

        @Test func `Each method has its target on the same handle`() async throws {
            let bench = try TransportBench(.curl)
            bench.server.serve("/*", .text("here"))
            for number in 0..<40 {
                let method = ["GET", "PUT", "HEAD", "GET", "DELETE"][number % 5]
                let body = method == "PUT" ? TestBody("content") : nil
                #expect(await bench.run(bench.exchange("/\(number)", method: method, body: body)).hasSucceeded)
            }
            #expect(bench.server.requests.map(\.target) == (0..<40).map { "/\($0)" })
            #expect(bench.server.connectionCount == 1)
        }
    }
#endif
