#if canImport(FoundationNetworking)
    import Foundation

    /// Properties that `URLRequest` has on Apple platforms only. On Linux they always have their defaults, so that
    /// common code needs no conditions.
    extension URLRequest {
        var allowsExpensiveNetworkAccess: Bool {
            get { true }
            set {}
        }
        var allowsConstrainedNetworkAccess: Bool {
            get { true }
            set {}
        }
        var assumesHTTP3Capable: Bool {
            get { false }
            set {}
        }
    }
#endif
