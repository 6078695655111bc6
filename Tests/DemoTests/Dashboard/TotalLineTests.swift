import Dashboard
import NetworkQueueKit
import Testing

/// Golden lines, at 20, 40, 80 and 120 columns: what is dropped when there is less room.
struct TotalLineTests {
    private func lines(_ model: DashboardModel, _ charset: Canvas.Charset = .unicode) -> String {
        [20, 40, 80, 120].map { columns in
            model.frame(on: Canvas(columns: columns, charset: charset)).plain.last ?? ""
        }.joined(separator: "\n")
    }

    @Test func `The total line is pure ASCII on an ASCII terminal`() {
        #expect(
            lines(FrameExamples.known, .ascii) == """
                 35% [====>       ]
                 35% [===>     ] 12/40 files, ETA 0:51
                 35% [======>            ] 12/40 files, 1.2/3.4 GiB, 8.1 MiB/s, ETA 0:51
                 35% [=============>                        ] 12/40 files, 1.2/3.4 GiB, 8.1 MiB/s, ETA 0:51
                """)
    }

    @Test func `The total line marks an estimated total`() {
        #expect(
            lines(FrameExamples.estimated) == """
                 35% ━━━━╸─────────
                 35% ━━━╸────── 12/40 files · ETA 0:51
                 35% ━━━━━━──────────── 12/40 files · 1.2/~3.4 GiB · 8.1 MiB/s · ETA 0:51
                 35% ━━━━━━━━━━━━━━────────────────────────── 12/40 files · 1.2/~3.4 GiB · 8.1 MiB/s · ETA 0:51
                """)
    }

    @Test func `The total line has a spinner and no percentage while the total is unknown`() {
        #expect(
            lines(FrameExamples.unknown) == """
                ⠋ 12/40 files
                ⠋ 12/40 files · 1.2 GiB · 8.1 MiB/s
                ⠋ 12/40 files · 1.2 GiB · 8.1 MiB/s
                ⠋ 12/40 files · 1.2 GiB · 8.1 MiB/s
                """)
        var next = FrameExamples.unknown
        next.tick = 1
        #expect(lines(next, .ascii).hasPrefix("/ 12/40 files\n"))
    }

    @Test func `The total line counts the answers during sizing`() {
        #expect(
            lines(FrameExamples.sizing) == """
                ⠋ Sizing 120 of 400
                ⠋ Sizing 120 of 400
                ⠋ Sizing 120 of 400
                ⠋ Sizing 120 of 400
                """)
        #expect(lines(FrameExamples.starting, .ascii).hasPrefix("| Starting\n"))
    }

    @Test func `The total line has a spinner while files are being written to the disk`() {
        #expect(
            lines(FrameExamples.flushing) == """
                ⠋ writing to disk
                ⠋ 40/40 files · writing to disk
                ⠋ 40/40 files · 3.4/3.4 GiB · writing to disk
                ⠋ 40/40 files · 3.4/3.4 GiB · writing to disk
                """)
    }

    @Test func `The bar of the total line is full after a success`() {
        #expect(
            lines(FrameExamples.finished) == """
                100% ━━━━━━━━━━━━━━
                100% ━━━━━━━━━━━━ 40/40 files · 3.4 GiB
                100% ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 40/40 files · 3.4 GiB
                100% ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 40/40 files · 3.4 GiB
                """)
    }

    @Test func `The total line has no bar after a run with failures`() {
        #expect(
            lines(FrameExamples.finishedWithFailures) == """
                2 failed
                38/40 files · 2 failed · 1.2 GiB
                38/40 files · 2 failed · 1.2 GiB
                38/40 files · 2 failed · 1.2 GiB
                """)
    }

    @Test(arguments: [0.99, 0.995, 0.999, 0.999_999_9, 1])
    func `The total line never shows 100% before the end`(fraction: Double) {
        let model = DashboardModel(progress: FrameExamples.progress { $0.fractionCompleted = fraction })
        for columns in 20...200 {
            let line = model.frame(on: Canvas(columns: columns)).plain.last ?? ""
            #expect(line.hasPrefix(" 99%"))
            #expect(line.contains("╸") || line.contains("─"))
        }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, -1, 7])
    func `The total line shows only finite numbers`(value: Double) {
        let model = DashboardModel(
            progress: FrameExamples.progress { progress in
                progress.fractionCompleted = value
                progress.bytesPerSecond = value
                progress.estimatedTimeRemaining = nil
            })
        let line = model.frame(on: Canvas(columns: 120)).plain.last ?? ""
        #expect(!line.contains("--") && !line.contains("ETA"))
        #expect(!line.contains("nan") && !line.contains("inf"))
    }

    @Test func `The total line ends with a hint at keys, as far as there is room`() {
        var model = FrameExamples.known
        model.hints = ["q quits", "p pauses"]
        #expect(
            lines(model) == """
                 35% ━━━━╸─────────
                 35% ━━━╸────── 12/40 files · ETA 0:51
                 35% ━━╸───── 12/40 files · 1.2/3.4 GiB · 8.1 MiB/s · ETA 0:51 · q quits
                 35% ━━━━━━━━━━━━━──────────────────────── 12/40 files · 1.2/3.4 GiB · 8.1 MiB/s · ETA 0:51 · q quits · p pauses
                """)
        model = FrameExamples.sizing
        model.hints = ["q quits", "p pauses"]
        #expect(lines(model).hasSuffix("\n⠋ Sizing 120 of 400 · q quits · p pauses"))
        model = FrameExamples.finished
        model.hints = ["q quits", "p pauses"]
        #expect(!lines(model).contains("quits"))
        #expect(!FrameExamples.known.logLine(charset: .unicode).contains("quits"))
    }

    @Test(arguments: [(nil, "0:51"), (2, "0:51"), (0.1, "1:20"), (0.000_000_1, "100d 0h")] as [(Double?, String)])
    func `The ETA never promises less than the slowest running file needs`(mebibytesPerSecond: Double?, time: String) {
        let mebibyte = Double(FrameExamples.mebibyte)
        let item = ActiveItem(
            name: "a", transferred: 4 * FrameExamples.mebibyte, expected: 12 * FrameExamples.mebibyte,
            bytesPerSecond: mebibytesPerSecond.map { $0 * mebibyte })
        let model = DashboardModel(progress: FrameExamples.progress(), items: FrameExamples.items + [item])
        #expect(model.frame(on: Canvas(columns: 120)).plain.last?.hasSuffix("ETA \(time)") == true)
        #expect(model.logLine(charset: .ascii).hasSuffix("ETA \(time)"))
    }

    @Test func `The total line promises no earlier end than the longest wait`() {
        let item = ActiveItem(name: "a", remark: "503; retrying in 5 min 0 s", wait: .seconds(300))
        let model = DashboardModel(progress: FrameExamples.progress(), items: FrameExamples.items + [item])
        #expect(model.logLine(charset: .ascii).hasSuffix("ETA 5:00"))
    }

    @Test func `The total line keeps the same facts while their digits change`() {
        for columns in 20...120 {
            let numbers = stride(from: Int64(0), through: 3482, by: 41).map { mebibytes in
                let model = DashboardModel(
                    progress: FrameExamples.progress { $0.download.transferred = mebibytes * FrameExamples.mebibyte })
                return model.frame(on: Canvas(columns: columns)).plain.last?.split(separator: "·").count
            }
            #expect(Set(numbers).count == 1)
        }
    }
}
