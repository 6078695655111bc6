import Dashboard
import Testing

struct FramePainterTests {
    private let canvas = Canvas(columns: 40)

    private func frame(_ lines: String...) -> Frame { Frame(lines: lines.map { StyledText($0) }) }

    private func screen(_ outputs: [String], columns: Int = 40) -> VirtualTerminal {
        var terminal = VirtualTerminal(columns: columns)
        for output in outputs { terminal.feed(output) }
        return terminal
    }

    @Test func `The painter replaces each frame with the next`() {
        var painter = FramePainter()
        let screen = screen([
            painter.paint(frame("one", "two", "total 1"), on: canvas),
            painter.paint(frame("a", "total 2"), on: canvas),
            painter.paint(frame("b", "c", "d", "total 3"), on: canvas),
        ])
        #expect(screen.lines == ["b", "c", "d", "total 3"])
        #expect(!screen.isCursorVisible)
    }

    @Test func `The painter leaves log lines above the frame`() {
        var painter = FramePainter()
        let screen = screen([
            painter.paint(frame("item", "total 1"), on: canvas),
            painter.paint(frame("item", "total 2"), log: ["first failed"], on: canvas),
            painter.paint(frame("total 3"), log: [String(repeating: "x", count: 45)], on: canvas),
            painter.paint(frame("item", "total 4"), on: canvas),
        ])
        #expect(
            screen.lines == ["first failed", String(repeating: "x", count: 40), "xxxxx", "item", "total 4"])
    }

    @Test func `Clearing the frame leaves only the log lines, and shows the cursor`() {
        var painter = FramePainter()
        let screen = screen([
            painter.paint(frame("item", "total"), on: canvas), painter.clear(log: ["failed"], on: canvas), "$",
        ])
        #expect(screen.lines == ["failed", "$"])
        #expect(screen.isCursorVisible)
    }

    @Test func `Leaving keeps the last frame on the screen, and shows the cursor`() {
        var painter = FramePainter()
        let screen = screen([painter.paint(frame("total"), on: canvas), painter.leave(), "$"])
        #expect(screen.lines == ["total", "$"])
        #expect(screen.isCursorVisible)
    }

    @Test func `The painter does not show a cursor that it has not hidden`() {
        var painter = FramePainter()
        #expect(painter.clear(on: canvas) == "")
        #expect(painter.leave() == "")
    }

    @Test func `The terminal cuts a line that is too long instead of wrapping it`() {
        var painter = FramePainter()
        let output = painter.paint(frame(String(repeating: "x", count: 25), "total"), on: canvas)
        #expect(screen([output], columns: 20).lines == [String(repeating: "x", count: 20), "total"])
    }

    private func painted(on columns: Int, _ widths: [Int]...) -> FramePainter {
        var painter = FramePainter()
        for widths in widths {
            let lines = widths.map { StyledText(String(repeating: "x", count: $0)) }
            _ = painter.paint(Frame(lines: lines), on: Canvas(columns: columns))
        }
        return painter
    }

    @Test func `The painter climbs only rows that certainly belong to its frame`() {
        let narrow = Canvas(columns: 10)
        // The window may have become narrower before any of these frames, and the later ones were cut then.
        var painter = painted(on: 40, [35, 5], [15, 5], [35, 5])
        #expect(painter.paint(frame("a", "b"), on: narrow).hasPrefix("\r\u{1B}[2A\u{1B}[J\r\n"))
        // Long ago counts no more.
        painter = painted(on: 40, [15, 5], [35, 5], [35, 5], [35, 5], [35, 5])
        #expect(painter.paint(frame("a", "b"), on: narrow).hasPrefix("\r\u{1B}[4A\u{1B}[J\u{1B}[?7l"))
        // One that has just become narrower may do so again.
        painter = painted(on: 40, [35, 5])
        _ = painter.paint(frame(String(repeating: "x", count: 19), "b"), on: Canvas(columns: 20))
        #expect(painter.paint(frame("a", "b"), on: narrow).hasPrefix("\r\u{1B}[1A\u{1B}[J\r\n"))
    }

    @Test func `The painter climbs one row per line if the terminal cuts lines`() {
        var painter = painted(on: 40, [35, 5])
        #expect(
            painter.paint(frame("a", "b"), on: Canvas(columns: 10, breaksLines: false)).hasPrefix("\r\u{1B}[1A\u{1B}[J")
        )
    }
}
