/// Names whose bytes are not what their characters suggest.
package enum OddName {
    /// Names that are equal as strings, though their bytes differ.
    package static let twins = [("f\u{FC}", "fu\u{308}"), ("\u{212B}", "A\u{30A}"), ("\u{212A}", "K")]

    /// Names whose first scalar belongs to the same character as what precedes it: a combining mark, an emoji modifier,
    /// a joiner and a variation selector.
    package static let joining = ["\u{301}x", "\u{1F3FD}x", "\u{200D}x", "\u{FE0F}x"]

    /// Beginnings and ends of names that `Character` calls white space or a new line.
    package static let spaced = ["\u{A0}x\u{A0}", "\u{85}x\u{85}", "\u{2028}x\u{2028}", "\u{3000}x\u{3000}"]
}
