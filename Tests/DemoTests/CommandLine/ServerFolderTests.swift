import Foundation
import LoopbackHTTP
import TestSupport
import Testing

/// `upload -r` to a server that has no folders yet.
struct ServerFolderTests {
    private let rig: NetqueueRig
    private let folders = Gathering<String>()

    init() throws {
        rig = try NetqueueRig()
        let manager = FileManager.default
        for folder in ["up/d0/e", "up/d1"] {
            try manager.createDirectory(at: rig.folder.file(folder), withIntermediateDirectories: true)
        }
        for file in ["d0/a", "d0/b", "d0/e/c", "d1/a"] { try rig.folder.write(file, to: "up/\(file)") }
    }

    /// Serves like WebDAV, with one folder at first.
    ///
    /// - Parameters:
    ///   - missing: The status of a PUT into a folder that is not there.
    ///   - refusals: Statuses in place of 201 for some folders.
    ///   - locked: A folder that another client is making when it is asked for the first time.
    private func serve(
        root: String = "/dav/", missing: Int = 409, refusals: [String: Int] = [:], locked: String? = nil
    ) {
        folders.add(root)
        rig.server.serve("/*") { [folders] request in
            let parent = { (path: Substring) in path.dropLast(path.reversed().prefix { $0 != "/" }.count) }
            let path = request.path[...]
            guard request.method == "MKCOL" else {
                return .status(folders.values.contains(String(parent(path))) ? 201 : missing)
            }
            if let status = refusals[request.path] { return .status(status, headers: ["Location": "/dav/else/"]) }
            if folders.values.contains(request.path) { return .status(405) }
            if request.path == locked {
                folders.add(request.path)
                return .status(423)
            }
            guard folders.values.contains(String(parent(path.dropLast()))) else { return .status(409) }
            folders.add(request.path)
            return .status(201)
        }
    }

    private func requests(_ method: String) -> [String] {
        rig.server.requests.filter { $0.method == method }.map(\.path)
    }

    @Test(arguments: [404, 409, 500])
    func `Missing folders are made once, and the files in them are sent again`(missing: Int) async throws {
        serve(missing: missing)
        let run = try await rig.run("upload", "-r", "up", "/dav/new/")
        #expect(run.exitCode == 0, "\(run.error)")
        #expect(run.output.hasPrefix("4 files, "))
        let made = ["/dav/new/", "/dav/new/up/", "/dav/new/up/d0/", "/dav/new/up/d0/e/", "/dav/new/up/d1/"]
        #expect(requests("MKCOL").sorted() == made && folders.values.sorted() == ["/dav/"] + made)
        let files = ["d0/a", "d0/b", "d0/e/c", "d1/a"].map { "/dav/new/up/\($0)" }
        #expect(Set(requests("PUT")) == Set(files) && requests("PUT").count <= 8)
        #expect(!run.error.contains("retrying"))
    }

    @Test func `A folder that is locked because another client makes it is asked for again`() async throws {
        serve(locked: "/dav/new/up/d1/")
        let run = try await rig.run("upload", "-r", "up", "/dav/new/")
        #expect(run.exitCode == 0, "\(run.error)")
        #expect(requests("MKCOL").count { $0 == "/dav/new/up/d1/" } == 2)
    }

    @Test func `Below a folder that was made, no file is sent before its folder`() async throws {
        serve()
        let run = try await rig.run("upload", "-j1", "-r", "up", "/dav/new/")
        #expect(run.exitCode == 0 && requests("PUT").count == 5)
    }

    @Test func `A server with all folders is asked for none`() async throws {
        rig.server.serve("/dav/*", .status(201))
        #expect(try await rig.run("upload", "-r", "up/.", "/dav/").exitCode == 0)
        #expect(requests("MKCOL") == [] && requests("PUT").count == 4)
    }

    @Test func `A folder that is there is left alone, and a server's root is not asked for`() async throws {
        serve(root: "/")
        folders.add("/d0/")
        let run = try await rig.run("upload", "-j1", "-r", "up/.", "/")
        #expect(run.exitCode == 0, "\(run.error)")
        #expect(requests("MKCOL") == ["/d0/", "/d0/e/", "/d1/"])
    }

    @Test(arguments: [403, 301, 507])
    func `A folder that cannot be made ends its files with one line, and they are not sent`(status: Int) async throws {
        serve(refusals: ["/dav/up/d0/": status])
        let run = try await rig.run("upload", "-j1", "--retries=0", "-r", "up", "/dav/")
        #expect(run.exitCode == 1)
        let lines = run.error.split(separator: "\n").filter { $0.hasPrefix("x ") }
        #expect(
            lines.count == 1
                && lines.first?.contains("the folder \(rig.url("/dav/up/d0/")) cannot be made: \(status) ") == true)
        #expect(run.output.contains("3 failed"))
        // The first one was sent to find out.
        #expect(requests("PUT").filter { $0.contains("/d0/") }.count == 1)
        #expect(requests("PUT").contains("/dav/up/d1/a") && !requests("MKCOL").contains("/dav/up/d0/e/"))
        #expect(!rig.server.requests.contains { $0.path == "/dav/else/" })
    }

    @Test func `Nothing above the URL is made`() async throws {
        serve(root: "/")
        let run = try await rig.run("upload", "--retries=0", "-r", "up", "/a/b/")
        #expect(run.exitCode == 1 && Set(requests("MKCOL")) == ["/a/b/", "/a/b/up/"])
        #expect(run.error.contains("the folder \(rig.url("/a/b/")) cannot be made: 409 Conflict\n"))
    }

    @Test func `A server may refuse to make the URL's folder if it is there`() async throws {
        serve(refusals: ["/dav/": 403])
        let run = try await rig.run("upload", "-r", "up", "/dav/")
        #expect(run.exitCode == 0, "\(run.error)")
        #expect(folders.values.contains("/dav/up/d0/e/"))
    }

    @Test func `With --no-mkcol no folder is made`() async throws {
        serve()
        let run = try await rig.run("upload", "--retries=0", "--no-mkcol", "-r", "up", "/dav/")
        #expect(run.exitCode == 1 && requests("MKCOL") == [] && requests("PUT").count == 4)
        #expect(try await rig.run("upload", "--no-mkcol", "a", "/dav/").exitCode == 64)
    }

    @Test func `A refusal that is not about a folder is no longer answered with folders`() async throws {
        serve(root: "/dav/")
        for folder in ["up/", "up/d0/", "up/d0/e/", "up/d1/"] { folders.add("/dav/\(folder)") }
        rig.server.serve("/dav/up/d0/*", .status(404))
        rig.server.serve("/dav/up/d0/", .status(405))
        rig.server.serve("/dav/up/d0/e/", .status(405))
        let run = try await rig.run("upload", "-j1", "--retries=0", "-r", "up", "/dav/")
        #expect(run.exitCode == 1 && run.error.contains("x up/d0/b: 404 Not Found\n"))
        #expect(requests("PUT").filter { $0 == "/dav/up/d0/b" }.count == 1)
    }
}
