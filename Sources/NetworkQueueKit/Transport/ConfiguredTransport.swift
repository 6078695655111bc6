/// A transport of the library's own.
protocol ConfiguredTransport: Transport {
    var configuration: TransportConfiguration { get }
    /// Closes connections that no exchange uses, as far as it has a say in that: a file could not be opened for want of a descriptor.
    func giveUpIdleConnections()
}

extension ConfiguredTransport {
    func giveUpIdleConnections() {}
}
