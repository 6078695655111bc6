/// The program's exit code.
struct ExitCode: RawRepresentable, Hashable, Sendable {
    let rawValue: Int32

    /// Everything requested has been done.
    static let success = ExitCode(rawValue: 0)
    /// Something failed.
    static let failure = ExitCode(rawValue: 1)
    /// The command line is invalid; nothing has been done. The value is `EX_USAGE` of `sysexits.h`.
    static let usage = ExitCode(rawValue: 64)

    /// The time of `--stop-after` was over before the work was done, and nothing failed. The value is `EX_TEMPFAIL` of
    /// `sysexits.h`.
    static let stopped = ExitCode(rawValue: 75)

    /// The code for a program ended by a signal, as shells report it: 130 after Ctrl-C.
    static func signal(_ number: Int32) -> ExitCode { ExitCode(rawValue: 128 + number) }
}
