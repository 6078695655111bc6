/// What a piece of text means, for terminals with colours. Never the only carrier of a meaning.
public enum Ink: Sendable, Hashable {
    /// As it comes.
    case plain
    /// What has been done.
    case done
    /// What is less important.
    case faint
    /// What has gone wrong.
    case failure

    /// The parameter of "select graphic rendition"; one of the 16 colours that every theme makes legible.
    var parameter: String? {
        switch self {
        case .plain: nil
        case .done: "36"
        case .faint: "2"
        case .failure: "31"
        }
    }
}
