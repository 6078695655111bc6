#if canImport(Glibc)
    extension CurlTransport: CustomReflectable {
        /// Shows only the configuration, without the user name and password of a proxy.
        public var customMirror: Mirror {
            Mirror(self, children: ["configuration": configuration], displayStyle: .class)
        }
    }

    extension CurlTransfer: CustomReflectable {
        var customMirror: Mirror { Mirror(self, children: ["exchange": exchange], displayStyle: .class) }
    }
#endif
