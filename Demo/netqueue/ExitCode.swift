/// What the program tells the shell at its end.
struct ExitCode: RawRepresentable, Hashable, Sendable {
    let rawValue: Int32

    /// Everything asked for has been done.
    static let success = ExitCode(rawValue: 0)
    /// Something failed.
    static let failure = ExitCode(rawValue: 1)
    /// The command line is wrong; nothing has been done. As in `sysexits.h`.
    static let usage = ExitCode(rawValue: 64)

    /// A signal has ended the program, as shells report it: 130 after Ctrl-C.
    static func signal(_ number: Int32) -> ExitCode { ExitCode(rawValue: 128 + number) }
}
