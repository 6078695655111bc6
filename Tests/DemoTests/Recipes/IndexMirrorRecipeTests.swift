import Foundation
import LoopbackHTTP
import TestSupport
import Testing

/// The pages are those that the servers write, shortened.
@Suite(.timeLimit(.minutes(10)))
struct IndexMirrorRecipeTests {
    private let rig: NetqueueRig
    private let recipe: Recipe

    private static let nginx = """
        <html>
        <head><title>Index of /pub/</title></head>
        <body>
        <h1>Index of /pub/</h1><hr><pre><a href="../">../</a>
        <a href="sub/">sub/</a>                    27-Nov-2026 13:05                   -
        <a href="a.txt">a.txt</a>                  27-Nov-2026 13:05                   2
        <a href="b%20c.txt">b c.txt</a>            27-Nov-2026 13:05                   2
        <a href="d%26e.txt">d&amp;e.txt</a>        27-Nov-2026 13:05                   2
        </pre><hr></body>
        </html>

        """
    private static let apache = """
        <html>
         <head>
          <title>Index of /pub</title>
         </head>
         <body>
        <h1>Index of /pub</h1>
        <pre>      <a href="?C=N;O=D">Name</a>  <a href="?C=M;O=A">Last modified</a>  <hr>      <a href="/">Parent Directory</a>
              <a href="a.txt">a.txt</a>                   2026-11-27 13:05    2
              <a href="b%20c.txt">b c.txt</a>             2026-11-27 13:05    2
              <a href="d&amp;e.txt">d&amp;e.txt</a>       2026-11-27 13:05    2
              <a href="sub/">sub/</a>                     2026-11-27 13:05    -
        <hr></pre>
        </body></html>

        """
    private static let lighttpd = """
        <tr class="d"><td class="n"><a href="../">..</a>/</td><td class="m">&nbsp;</td></tr>
        <tr class="d"><td class="n"><a href="sub/">sub</a>/</td><td class="m">2026-Nov-27 13:05:07</td></tr>
        <tr><td class="n"><a href="a.txt">a.txt</a></td><td class="m">2026-Nov-27 13:05:07</td></tr>
        <tr><td class="n"><a href="b%20c.txt">b c.txt</a></td><td class="m">2026-Nov-27 13:05:07</td></tr>
        <tr><td class="n"><a href="d%26e.txt">d&#x26;e.txt</a></td><td class="m">2026-Nov-27 13:05:07</td></tr>

        """
    private static let python = """
        <ul>
        <li><a href="a.txt">a.txt</a></li>
        <li><a href="b%20c.txt">b c.txt</a></li>
        <li><a href="d%26e.txt">d&amp;e.txt</a></li>
        <li><a href="sub/">sub/</a></li>
        </ul>

        """

    init() throws {
        rig = try NetqueueRig()
        recipe = try Recipe(.indexMirror, in: rig)
        for name in ["a.txt", "b%20c.txt", "d&e.txt", "d%26e.txt"] { serve(name, "1\n", day: 27) }
    }

    private func serve(_ name: String, _ text: String, day: Int) {
        rig.server.serve(
            "/pub/\(name)",
            .text(text).acceptingRanges(lastModified: "\(day == 27 ? "Fri" : "Sat"), \(day) Nov 2026 13:05:07 GMT"))
    }

    @Test(arguments: [nginx, apache, lighttpd, python])
    func `The first day brings all files, and the second what has changed`(page: String) async throws {
        #expect(recipe.headings == ["Every day"])
        rig.server.serve("/pub/", .text(page))
        let first = try await recipe.run("Every day")
        #expect(first.exitCode == 0, "\(first.error)")
        #expect(try rig.folder.files(in: "mirror") == ["a.txt", "b c.txt", "d&e.txt"])
        rig.server.forgetRequests()
        rig.server.serve("/pub/", .text(page.replacing("b%20c.txt\">b c.txt", with: "f.txt\">f.txt")))
        serve("a.txt", "2\n", day: 28)
        serve("f.txt", "new\n", day: 28)
        let second = try await recipe.run("Every day")
        #expect(second.exitCode == 0 && second.output.contains("1 already there"), "\(second.output)\(second.error)")
        #expect(try rig.folder.files(in: "mirror") == ["a.txt", "b c.txt", "d&e.txt", "f.txt"])
        #expect(try rig.folder.read("mirror/a.txt") == "2\n")
        let bodies = rig.server.requests.filter { $0.method == "GET" && $0.headers["If-Modified-Since"] == nil }
        #expect(bodies.map(\.path).sorted() == ["/pub/", "/pub/a.txt", "/pub/f.txt"])
    }

    @Test func `Without a page nothing looks like success`() async throws {
        let run = try await recipe.run("Every day")
        #expect(run.exitCode == 1 && !rig.folder.contents.contains("list.txt"))
    }
}
