import Dashboard

extension String {
    /// The text with typographic characters replaced by ASCII if the terminal supports nothing else.
    func fitting(_ traits: TerminalTraits) -> String {
        guard traits.charset == .ascii else { return self }
        let plain: [Character: String] = ["“": "\"", "”": "\"", "’": "'", "…": "...", "·": "-", "×": "x", "≤": "<="]
        return reduce(into: "") { $0 += plain[$1] ?? String($1) }
    }
}
