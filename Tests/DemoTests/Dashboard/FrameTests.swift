import Dashboard
import NetworkQueueKit
import Testing

/// Golden frames of a run with six transfers under way.
struct FrameTests {
    private func frame(_ columns: Int, _ charset: Canvas.Charset = .unicode) -> String {
        FrameExamples.known.frame(on: Canvas(columns: columns, charset: charset)).plain.joined(separator: "\n")
    }

    @Test func `A frame of 120 columns has bars, byte counts and rates`() {
        #expect(
            frame(120) == """
                  films/0031.mov                                ━━━━╸─────────  4.0/12.0 MiB        2.0 MiB/s
                  音楽/とても長い名前の…がここにあります.flac   ━━━━━━────────  900 B/2.0 KiB
                  a/path/of/many/folder…/on/and/on/file.tar.gz                  4.9 KiB
                  new?[2Jline?.txt                              ──────────────  0/10 B
                  e.txt  503 Service Unavailable; retrying in 4 s
                  f.txt                                                         0 B
                 35% ━━━━━━━━━━━━━━────────────────────────── 12/40 files · 1.2/3.4 GiB · 8.1 MiB/s · ETA 0:51
                """)
    }

    @Test func `A frame of 200 columns equals a frame of 120 columns`() {
        let lines = FrameExamples.known.frame(on: Canvas(columns: 200)).plain
        #expect(lines.dropLast() == FrameExamples.known.frame(on: Canvas(columns: 120)).plain.dropLast().map { $0 })
        #expect(
            lines.last
                == " 35% ━━━━━━━━━━━━━━────────────────────────── 12/40 files · 1.2/3.4 GiB · 8.1 MiB/s · ETA 0:51")
    }

    @Test func `A frame takes two thirds of a high window for its items`() {
        let items = (0..<24).map { ActiveItem(name: "file-\($0)") }
        let model = DashboardModel(progress: FrameExamples.progress(), items: items)
        let lines = model.frame(on: Canvas(rows: 30)).plain
        #expect(lines.count == 21 && lines[18].contains("file-18") && lines[19] == "  +5 more")
        #expect(
            DashboardModel(progress: model.progress, items: Array(items.prefix(20))).frame(on: Canvas(rows: 30))
                .plain.count == 21)
    }

    @Test func `A frame has a line for the sizes that are still coming in, if there is room`() {
        var progress = FrameExamples.progress()
        progress.sizing = .init(completed: 812, total: 20_000)
        let model = DashboardModel(progress: progress, items: (0..<7).map { ActiveItem(name: "file-\($0)") })
        let lines = model.frame(on: Canvas(columns: 40, rows: 9)).plain
        #expect(
            lines.map { $0.trimmingPrefix(while: \.isWhitespace).prefix(6) }.dropLast() == [
                "file-0", "file-1", "file-2", "file-3", "+3 mor", "Sizing",
            ])
        #expect(lines[5] == "  Sizing 812 of 20,000")
        #expect(!model.frame(on: Canvas(columns: 18, rows: 9)).plain.contains { $0.contains("Sizing") })
        for rows in 1...12 { #expect(model.frame(on: Canvas(rows: rows)).lines.count <= max(1, rows - 2)) }
        #expect(model.frame(on: Canvas(rows: 4)).plain.count == 2)
        #expect(model.logLine(charset: .ascii).hasSuffix(", sizing 812 of 20,000"))
    }

    @Test func `A frame of 80 columns has bars and byte counts`() {
        #expect(
            frame(80) == """
                  films/0031.mov                             ━━━━╸─────────  4.0/12.0 MiB
                  音楽/とても長い名前の…ここにあります.flac  ━━━━━━────────  900 B/2.0 KiB
                  a/path/of/many/folde…n/and/on/file.tar.gz                  4.9 KiB
                  new?[2Jline?.txt                           ──────────────  0/10 B
                  e.txt  503 Service Unavailable; retrying in 4 s
                  f.txt                                                      0 B
                 35% ━━━━━━──────────── 12/40 files · 1.2/3.4 GiB · 8.1 MiB/s · ETA 0:51
                """)
    }

    @Test func `A frame of 80 columns in ASCII has ASCII bars and ellipses`() {
        #expect(
            frame(80, .ascii) == """
                  films/0031.mov                             [====>       ]  4.0/12.0 MiB
                  ??/?????????????????????.flac              [=====>      ]  900 B/2.0 KiB
                  a/path/of/many/fold.../and/on/file.tar.gz                  4.9 KiB
                  new?[2Jline?.txt                           [            ]  0/10 B
                  e.txt  503 Service Unavailable; retrying in 4 s
                  f.txt                                                      0 B
                 35% [======>            ] 12/40 files, 1.2/3.4 GiB, 8.1 MiB/s, ETA 0:51
                """)
    }

    @Test func `A frame of 40 columns has percentages instead of bars`() {
        #expect(
            frame(40) == """
                  films/0031.mov                    33%
                  音楽/とても長…あります.flac       43%
                  a/path/of/man…on/file.tar.gz  4.9 KiB
                  new?[2Jline?.txt                   0%
                  e.txt 503 Service Una…retrying in 4 s
                  f.txt                             0 B
                 35% ━━━╸────── 12/40 files · ETA 0:51
                """)
    }

    @Test func `A frame of 20 columns has percentages, and no counts in its total`() {
        #expect(
            frame(20) == """
                  fil….mov      33%
                  音…flac       43%
                  a/p…r.gz  4.9 KiB
                  new….txt       0%
                  e.txt 503 S…n 4 s
                  f.txt         0 B
                 35% ━━━━╸─────────
                """)
    }

    @Test(arguments: [Canvas.Charset.ascii, .unicode])
    func `A frame never writes to the last column`(charset: Canvas.Charset) {
        for columns in 1...200 {
            for line in FrameExamples.known.frame(on: Canvas(columns: columns, charset: charset)).plain
            where columns >= 10 {
                #expect(line.displayColumns < columns)
            }
        }
    }

    @Test func `A frame shows the items that fit, and counts the others`() {
        #expect(
            FrameExamples.known.frame(on: Canvas(rows: 5)).plain.dropLast() == [
                "  films/0031.mov                             ━━━━╸─────────  4.0/12.0 MiB", "  +5 more",
            ])
    }

    @Test func `A frame has colors only on request`() {
        let line = FrameExamples.known.frame(on: Canvas(columns: 40)).lines.last
        #expect(line?.rendered(hasColor: false) == " 35% ━━━╸────── 12/40 files · ETA 0:51")
        #expect(
            line?.rendered(hasColor: true)
                == " 35% \u{1B}[36m━━━╸\u{1B}[0m\u{1B}[2m──────\u{1B}[0m 12/40 files\u{1B}[2m · \u{1B}[0mETA 0:51")
    }

    @Test func `A frame never shows a running item as done`() {
        let model = DashboardModel(
            progress: FrameExamples.progress(), items: [ActiveItem(name: "a.txt", transferred: 10, expected: 10)])
        #expect(model.frame(on: Canvas(columns: 40)).plain.first == "  a.txt                             99%")
        #expect(model.frame(on: Canvas()).plain.first?.contains("━╸  10/10 B") == true)
    }

    @Test func `The total line shows uploads like downloads, and adds the two`() {
        var model = FrameExamples.known
        swap(&model.progress.download, &model.progress.upload)
        #expect(model.frame(on: Canvas()).plain.last == FrameExamples.known.frame(on: Canvas()).plain.last)
        model.progress.download = model.progress.upload
        #expect(model.frame(on: Canvas()).plain.last?.contains("2.4/6.8 GiB") == true)
    }

    @Test func `A frame has a line for each server that asks for time, during sizing as well`() {
        var model = FrameExamples.known
        model.remarks = ["example.com asks to wait 12 s", "b.example asks to wait 3 s"]
        let lines = model.frame(on: Canvas()).plain
        #expect(lines.suffix(3).dropLast() == ["  example.com asks to wait 12 s", "  b.example asks to wait 3 s"])
        #expect(lines.count == FrameExamples.known.frame(on: Canvas()).plain.count + 2)
        for rows in 1...12 { #expect(model.frame(on: Canvas(rows: rows)).lines.count <= max(1, rows - 2)) }
        for columns in 10...40 {
            #expect(model.frame(on: Canvas(columns: columns)).plain.allSatisfy { $0.displayColumns < columns })
        }
        var sizing = FrameExamples.sizing
        sizing.remarks = model.remarks
        #expect(sizing.frame(on: Canvas()).plain.first == "  example.com asks to wait 12 s")
        model.progress.phase = .finished
        #expect(model.frame(on: Canvas()).plain.count == 1)
    }

    @Test func `A frame has the ETA of its slowest file, without those that wait for a retry`() {
        let model = DashboardModel(
            progress: FrameExamples.progress(),
            items: [
                ActiveItem(
                    name: "slow.iso", transferred: 4 * FrameExamples.mebibyte, expected: 12 * FrameExamples.mebibyte,
                    bytesPerSecond: 0.1 * Double(FrameExamples.mebibyte)),
                ActiveItem(
                    name: "held.iso", expected: 12 * FrameExamples.mebibyte, bytesPerSecond: 1,
                    remark: "503 Service Unavailable; retrying in 4 s"),
            ])
        #expect(
            model.frame(on: Canvas()).plain.joined(separator: "\n") == """
                  slow.iso                                   ━━━━╸─────────  4.0/12.0 MiB
                  held.iso  503 Service Unavailable; retrying in 4 s
                 35% ━━━━━━──────────── 12/40 files · 1.2/3.4 GiB · 8.1 MiB/s · ETA 1:20
                """)
    }
}
