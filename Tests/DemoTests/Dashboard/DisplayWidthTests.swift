import Dashboard
import Testing

struct DisplayWidthTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本語", 6), ("한글", 4), ("\u{1112}\u{1161}\u{11AB}", 2),
        ("ｆｕｌｌ", 8), ("ﾊﾝ", 2), ("🎬", 2), ("🇩🇪", 2), ("❤\u{FE0F}", 2), ("a\u{200D}", 1), ("…·━", 3),
    ])
    func `A text is as wide as the columns that a terminal gives it`(text: String, columns: Int) {
        #expect(text.displayColumns == columns)
    }

    @Test func `A text that fits is not truncated`() {
        #expect("日本語.txt".truncatedInTheMiddle(to: 10, mark: "…") == "日本語.txt")
    }

    @Test func `A text that is too long loses its middle`() {
        #expect("a-very-long-name.tar.gz".truncatedInTheMiddle(to: 12, mark: "…") == "a-ver…tar.gz")
        #expect("a-very-long-name.tar.gz".truncatedInTheMiddle(to: 12, mark: "...") == "a-ve...ar.gz")
    }

    @Test(arguments: 0...24)
    func `A truncated text never exceeds its columns`(columns: Int) {
        let families = "👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦"
        for text in ["日本語日本語日本語日本語.txt", "e\u{301}e\u{301}e\u{301}ééééééééé", families, "plain-name.txt"] {
            for mark in ["…", "..."] {
                #expect(text.truncatedInTheMiddle(to: columns, mark: mark).displayColumns <= columns)
            }
        }
    }

    @Test func `Question marks replace the control characters of a text`() {
        #expect("a\u{1B}[31mb\r\nc\u{9B}\u{202E}d".withoutControls() == "a?[31mb??c??d")
        #expect("harmless é 日".withoutControls() == "harmless é 日")
    }
}
