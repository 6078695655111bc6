import Dashboard
import Testing

/// Golden frames of a run with groups.
struct GroupFrameTests {
    private func model(_ groups: [GroupItem] = FrameExamples.groups) -> DashboardModel {
        DashboardModel(
            progress: FrameExamples.progress(), items: Array(FrameExamples.items.prefix(1)), groups: groups)
    }

    private func frame(_ columns: Int, _ charset: Canvas.Charset = .unicode) -> String {
        model().frame(on: Canvas(columns: columns, charset: charset)).plain.joined(separator: "\n")
    }

    private func numbered(_ count: Int) -> [GroupItem] {
        (1...count).map { GroupItem(name: "group-\($0)", progress: FrameExamples.progress()) }
    }

    @Test func `A frame of 200 columns has bars, counts, bytes and speeds of groups above the total`() {
        #expect(
            frame(200) == """
                  films/0031.mov                                ━━━━╸─────────  4.0/12.0 MiB        2.0 MiB/s
                  album-7                                       ━━━━━━━━──────  7/12 files · 700 MiB/1.2 GiB · 2.0 MiB/s
                  音楽/とても長い名前の…ここにありますから?[2J  ━━━━━━━━━━━━━╸  38/40 files · 1 failed · 2.9/3.4 GiB
                 35% ━━━━━━━━━━━━━━────────────────────────── 12/40 files · 1.2/3.4 GiB · 8.1 MiB/s · ETA 0:51
                """)
    }

    @Test func `A frame of 80 columns has bars and counts of groups in the columns of its items`() {
        #expect(
            frame(80) == """
                  films/0031.mov                             ━━━━╸─────────  4.0/12.0 MiB
                  album-7                                    ━━━━━━━━──────  7/12 files
                  音楽/とても長い名前…こにありますから?[2J   ━━━━━━━━━━━━━╸  38/40 files
                 35% ━━━━━━──────────── 12/40 files · 1.2/3.4 GiB · 8.1 MiB/s · ETA 0:51
                """)
        #expect(
            frame(80, .ascii) == """
                  films/0031.mov                             [====>       ]  4.0/12.0 MiB
                  album-7                                    [======>     ]  7/12 files
                  ??/????????????????????????[2J             [===========>]  38/40 files
                 35% [======>            ] 12/40 files, 1.2/3.4 GiB, 8.1 MiB/s, ETA 0:51
                """)
    }

    @Test func `A frame of 40 columns has percentages of groups`() {
        #expect(
            frame(40) == """
                  films/0031.mov                    33%
                  album-7                           57%
                  音楽/とても長…りますから?[2J      99%
                 35% ━━━╸────── 12/40 files · ETA 0:51
                """)
    }

    @Test func `A frame never shows a group at work as done, nor writes to the last column`() {
        for charset in [Canvas.Charset.ascii, .unicode] {
            for columns in 20...200 {
                let lines = model(numbered(7)).frame(on: Canvas(columns: columns, charset: charset)).plain
                #expect(lines.allSatisfy { $0.displayColumns < columns })
            }
        }
        #expect(frame(40).contains(" 99%") && !frame(40).contains("100%"))
    }

    @Test func `A frame has at most five groups, and counts the others`() {
        func lines(_ count: Int) -> [String] {
            model(numbered(count)).frame(on: Canvas()).plain.dropFirst().dropLast().map {
                String($0.trimmingPrefix(while: \.isWhitespace).prefix { $0 != " " })
            }
        }
        let five = (1...5).map { "group-\($0)" }
        #expect(lines(5) == five && lines(6) == five + ["+1"] && lines(9) == five + ["+4"])
        let last = { (count: Int) in model(numbered(count)).frame(on: Canvas()).plain.dropLast().last }
        #expect(last(6) == "  +1 more group" && last(9) == "  +4 more groups")
    }

    @Test func `In a low window the groups leave at least half of the lines to the items`() {
        let items = (0..<24).map { ActiveItem(name: "file-\($0)") }
        var model = DashboardModel(progress: FrameExamples.progress(), items: items, groups: numbered(9))
        for rows in 1...40 {
            let lines = model.frame(on: Canvas(rows: rows)).plain
            let count = lines.count { $0.contains("group") }
            #expect(lines.count <= max(1, rows - 2) && count <= (lines.count - 1) / 2, "\(rows)")
        }
        #expect(model.frame(on: Canvas(rows: 9)).plain.count { $0.contains("group-") } == 2)
        model.progress.phase = .finished
        #expect(model.frame(on: Canvas(rows: 40)).plain.count == 1)
    }
}
