import Foundation
import NetworkQueueKit

/// What the options say about all requests of a run, and the lists that had to be fetched for it.
struct RunSettings: Sendable {
    let transport: any Transport
    let configuration: NetworkQueue.Configuration
    let decoration: RequestDecoration
    let lists: RemoteLists
    /// The servers that get what belongs to the user; `nil` if all do.
    let trusted: TrustedOrigins?

    /// Reads the files of the options, asks for a missing password, and fetches the lists.
    init(_ options: Options) async throws(UsageError) {
        var transport = try options.makeTransport()
        var configuration = try options.configurationWithCookies()
        var trusted: TrustedOrigins?
        if options.withholdsSecrets {
            let origins = TrustedOrigins()
            for text in options.operands + options.remoteLists {
                guard let url = URLText.url(text) else { throw UsageError(URLText.complaint(text)) }
                origins.insert(url)
            }
            var others = options
            (others.certificate, others.key) = (nil, nil)
            transport = WithholdingTransport(
                origins: origins, headers: configuration.headers, trusted: transport,
                other: options.certificate == nil ? transport : try others.makeTransport())
            configuration.headers = HTTPHeaders()
            trusted = origins
        }
        (self.transport, self.configuration, self.trusted) = (transport, configuration, trusted)
        decoration = try RequestDecoration(options, trusted: trusted)
        lists = try await RemoteLists(options, configuration, transport, decoration)
    }
}
