import Foundation
import LoopbackHTTP

/// Runs the download manager in a process of its own and kills it.
enum DownloadManagerKilled: Example {
    static let subject = "a download manager that is killed goes on where it was"
    static let childArgument = "manage-downloads"

    static func run(_ site: Site) async throws {
        // Each file stops halfway until the process has been killed.
        let gate = Gate()
        let contents = (1...4).map { GeneratedContent(size: 4 << 20, seed: $0) }
        let files = Dictionary(uniqueKeysWithValues: zip("abcd", contents))
        for (name, file) in files {
            let response = ScriptedResponse.generated(size: file.size, seed: file.seed).acceptingRanges(etag: "\"1\"")
            site.server.serve("/\(name).iso", response.gated(by: gate, at: .afterBody(file.size / 2)))
        }
        func isHalf(_ name: Character) -> Bool { fileSize(site.file("\(name).iso.nqk.part")) == 2 << 20 }

        var program = try Child(childArgument, site.folder.path(percentEncoded: false), log: site.file("first.log"))
        for name in "abcd" { try program.write("add \(site.url("/\(name).iso"))") }
        try await eventually("two are under way") { isHalf("a") && isHalf("b") }
        try program.write("front d.iso")
        try program.write("pause b.iso")
        try await eventually("the first takes the place of the paused one") { isHalf("d") }
        try program.write("remove a.iso")
        try await eventually("the last takes the place of the removed one") { isHalf("c") }
        try program.write("list")
        try await eventually("they are listed") { program.output.contains("b.iso: paused, 50 %") }
        program.kill()
        print(program.output, terminator: "")
        try check(!fileExists("a.iso.nqk.part", site), "the part of the removed one is removed")

        gate.open()
        site.server.forgetRequests()
        program = try Child(childArgument, site.folder.path(percentEncoded: false), log: site.file("second.log"))
        try await eventually("two end") { fileExists("c.iso", site) && fileExists("d.iso", site) }
        try check(program.output.hasPrefix("3 downloads from before"), "the three are known")
        try check(isHalf("b"), "one of them is still paused")
        try program.write("resume b.iso")
        try await eventually("the third ends") { program.output.contains("b.iso finished") }
        try check(program.end() == 0, "the program ends")
        print(program.output, terminator: "")
        for name in "bcd" {
            let gets = site.server.requests.filter { $0.path == "/\(name).iso" && $0.method == "GET" }
            let ranges = gets.map { $0.headers["Range"] }
            try check(ranges == ["bytes=\(2 << 20)-"], "\(name) is asked for its second half alone, not \(ranges)")
            try check(try Data(contentsOf: site.file("\(name).iso")) == files[name]?.data, "\(name) is whole and right")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: site.folder.path(percentEncoded: false))
        try check(!names.contains { $0.contains("a.iso") || $0.contains(".part") }, "nothing else is left: \(names)")
    }

    private static func fileExists(_ name: String, _ site: Site) -> Bool {
        FileManager.default.fileExists(atPath: site.file(name).path(percentEncoded: false))
    }
}
