/// The meaning of a piece of text, shown as a color. A color is never the only way to convey a meaning.
public enum Ink: Sendable, Hashable {
    /// Ordinary text.
    case plain
    /// Completed work.
    case done
    /// Less important text.
    case faint
    /// An error.
    case failure

    /// The SGR parameter of the style: faint, or one of the 16 colors that every theme keeps legible; `nil` for plain
    /// text.
    var parameter: String? {
        switch self {
        case .plain: nil
        case .done: "36"
        case .faint: "2"
        case .failure: "31"
        }
    }
}
