#if canImport(Glibc)
    extension CurlTransport: CustomReflectable {
        /// What `dump` shows: the configuration, without the name and the password of a proxy.
        public var customMirror: Mirror {
            Mirror(self, children: ["configuration": configuration], displayStyle: .class)
        }
    }

    extension CurlTransfer: CustomReflectable {
        var customMirror: Mirror { Mirror(self, children: ["exchange": exchange], displayStyle: .class) }
    }
#endif
