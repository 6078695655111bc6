#if os(Linux)
    /// The messages of rtnetlink(7). The numbers are part of the kernel's stable interface. The Glibc module does not
    /// export them.
    enum RouteMessages {
        /// `AF_NETLINK`
        static let addressFamily: Int32 = 16

        /// `struct sockaddr_nl`
        struct Address {
            private var family = UInt16(addressFamily)
            private var padding: UInt16 = 0
            private var port: UInt32 = 0
            /// Links, and the addresses and routes of IPv4 and IPv6: `RTMGRP_LINK`, `_IFADDR` and `_ROUTE`.
            private var groups: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400
        }

        private enum Kind {
            static let newLink: UInt16 = 16
            static let newAddress: UInt16 = 20
            static let newRoute: UInt16 = 24
        }

        private static let headerLength = 16
        /// `IFF_UP | IFF_RUNNING`
        private static let runningFlags: UInt32 = 0x1 | 0x40

        /// Whether one of the messages in `bytes` reports a running link, a new address or a new route.
        static func tellOfRecovery(_ bytes: ArraySlice<UInt8>) -> Bool {
            bytes.withUnsafeBytes { bytes in
                var offset = 0
                while offset + headerLength <= bytes.count {
                    let length = Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
                    guard length >= headerLength, offset + length <= bytes.count else { return false }
                    if isRecovery(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length])) { return true }
                    // Messages are aligned to 4 bytes.
                    offset += (length + 3) & ~3
                }
                return false
            }
        }

        private static func isRecovery(_ message: UnsafeRawBufferPointer) -> Bool {
            switch message.loadUnaligned(fromByteOffset: 4, as: UInt16.self) {
            case Kind.newAddress, Kind.newRoute:
                return true
            case Kind.newLink where message.count >= headerLength + 12:
                // `struct ifinfomsg`: the flags are its third word.
                let flags = message.loadUnaligned(fromByteOffset: headerLength + 8, as: UInt32.self)
                return flags & runningFlags == runningFlags
            default:
                return false
            }
        }
    }
#endif
