// What `dump` shows of transports and of what they are given: exchanges under way have credentials and content, of
// which nothing must reach a log.

extension URLSessionTransport: CustomReflectable {
    /// What `dump` shows: the configuration, without the name and the password of a proxy.
    public var customMirror: Mirror { Mirror(self, children: ["configuration": configuration], displayStyle: .class) }
}

extension SessionTransfer: CustomReflectable {
    var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
