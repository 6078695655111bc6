extension String {
    /// The text for one line of a log: without control characters, each of which becomes a space.
    var singleLine: String {
        guard unicodeScalars.contains(where: \.breaksLine) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0.breaksLine ? " " : $0 }))
    }
}

extension Unicode.Scalar {
    /// Whether it is a control character, or a separator of lines, or turns the direction of the text around it.
    fileprivate var breaksLine: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .format: true
        default: false
        }
    }
}
