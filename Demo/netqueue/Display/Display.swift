import Dashboard

/// Selects the progress display.
enum Display {
    /// The display that fits the options, the standard error and the environment.
    static func make(_ options: Options) -> any ProgressDisplay {
        let traits = TerminalTraits.current
        let time = LogTime(isShown: options.showsTimes)
        if options.isQuiet || options.mode == .never { return SilentDisplay(time: time) }
        let isLive = options.mode == .always || StandardStream.error.isTerminal
        return isLive && traits.canMoveCursor
            ? LiveDisplay(traits: traits, time: time) : PlainDisplay(charset: traits.charset, time: time)
    }
}
