import Dashboard
import Testing

@testable import netqueue

struct TerminalTraitsTests {
    @Test(
        arguments: [
            (["TERM": "xterm"], true, true), (["TERM": "xterm"], false, false), ([:], true, false),
            (["TERM": "dumb"], true, false), (["TERM": "xterm", "NO_COLOR": "1"], true, false),
            (["TERM": "xterm", "NO_COLOR": ""], true, true), (["CLICOLOR_FORCE": "1"], false, true),
            (["CLICOLOR_FORCE": "0"], false, false), (["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], true, false),
        ] as [([String: String], Bool, Bool)])
    func `The environment decides whether the terminal has colors`(
        environment: [String: String], isTerminal: Bool, hasColor: Bool
    ) {
        #expect(TerminalTraits(environment: environment, isTerminal: isTerminal).hasColor == hasColor)
    }

    @Test(
        arguments: [
            ([:], .ascii), (["LANG": "en_GB.UTF-8"], .unicode), (["LANG": "C.utf8"], .unicode), (["LANG": "C"], .ascii),
            (["LANG": "en_GB.UTF-8", "LC_ALL": "C"], .ascii), (["LC_CTYPE": "de_DE.UTF-8", "LC_ALL": ""], .unicode),
        ] as [([String: String], Canvas.Charset)])
    func `The locale decides which characters the terminal has`(environment: [String: String], charset: Canvas.Charset)
    {
        #expect(TerminalTraits(environment: environment, isTerminal: true).charset == charset)
    }

    @Test func `A dumb terminal cannot move its cursor`() {
        #expect(!TerminalTraits(environment: ["TERM": "dumb"], isTerminal: true).canMoveCursor)
        #expect(TerminalTraits(environment: ["TERM": "xterm"], isTerminal: true).canMoveCursor)
    }

    @Test(
        arguments: [
            (["TERM": "xterm-256color"], true), (["TERM": "xterm", "XTERM_VERSION": "XTerm(379)"], false),
            (["TERM": "linux"], false), (["TERM": "rxvt-unicode"], false), (["TERM": "screen.xterm"], false),
            (["TERM": "screen-256color"], false), (["TERM": "screen-256color", "TMUX": "/tmp/x,1,0"], true),
            ([:], true),
        ] as [([String: String], Bool)])
    func `A terminal that becomes narrower rewraps its lines, except for some kinds`(
        environment: [String: String], breaks: Bool
    ) {
        #expect(TerminalTraits(environment: environment, isTerminal: true).breaksLines == breaks)
    }
}
