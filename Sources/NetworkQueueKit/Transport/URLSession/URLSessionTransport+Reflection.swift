// Mirrors that hide the credentials and content of running exchanges, which must not reach a log.

extension URLSessionTransport: CustomReflectable {
    /// Shows only the configuration, without the user name and password of a proxy.
    public var customMirror: Mirror { Mirror(self, children: ["configuration": configuration], displayStyle: .class) }
}

extension SessionTransfer: CustomReflectable {
    var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
