#if os(Linux)
    import Testing

    @testable import NetworkQueueKit

    struct RouteMessagesTests {
        private static let newLink: UInt16 = 16
        private static let newAddress: UInt16 = 20
        private static let newRoute: UInt16 = 24
        private static let up: UInt32 = 0x1
        private static let running: UInt32 = 0x40

        private func bytes(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }

        /// A `struct nlmsghdr`, the payload behind it, and what aligns the next one.
        private func message(_ kind: UInt16, payload: [UInt8] = [], length: UInt32? = nil) -> [UInt8] {
            let length = length ?? UInt32(16 + payload.count)
            let message = bytes(length) + bytes(kind) + bytes(UInt16(0)) + bytes(UInt32(1)) + bytes(UInt32(0)) + payload
            return message + [UInt8](repeating: 0, count: (4 - message.count % 4) % 4)
        }

        private func link(flags: UInt32, name: [UInt8] = []) -> [UInt8] {
            let information = bytes(UInt16(0)) + bytes(UInt16(1)) + bytes(UInt32(2)) + bytes(flags) + bytes(UInt32.max)
            return message(Self.newLink, payload: information + name)
        }

        private func tell(_ bytes: [UInt8]) -> Bool { RouteMessages.tellOfRecovery(bytes[...]) }

        @Test func `A new address and a new route tell of recovery`() {
            #expect(tell(message(Self.newAddress)) && tell(message(Self.newRoute, payload: [1, 2, 3])))
        }

        @Test func `A link tells of recovery when it is up and running`() {
            #expect(tell(link(flags: Self.up | Self.running | 0x1000)))
            #expect(!tell(link(flags: Self.up)) && !tell(link(flags: Self.running)) && !tell(link(flags: 0)))
        }

        @Test(arguments: [UInt16(2), 3, 17, 18, 21, 25, 28, 0, .max])
        func `Other messages do not tell of recovery`(kind: UInt16) {
            #expect(!tell(message(kind, payload: [UInt8](repeating: 0xFF, count: 40))))
        }

        @Test func `Each of several messages is read, aligned as they are`() {
            let odd = message(17, payload: [1, 2, 3, 4, 5])
            #expect(odd.count % 4 == 0)
            #expect(tell(odd + link(flags: 0, name: [1]) + message(Self.newAddress)))
            #expect(!tell(odd + link(flags: 0, name: [1, 2, 3]) + odd))
        }

        @Test func `A message that is cut off is ignored`() {
            for whole in [link(flags: Self.up | Self.running), message(Self.newAddress, payload: [1, 2, 3, 4])] {
                for count in 0..<whole.count { #expect(!tell(Array(whole.prefix(count)))) }
            }
            let short = message(17) + link(flags: Self.up | Self.running)
            for count in 0..<short.count { #expect(!tell(Array(short.prefix(count)))) }
        }

        @Test func `A link without its flags counts for nothing`() {
            for count in 0..<12 {
                #expect(!tell(message(Self.newLink, payload: [UInt8](repeating: 0xFF, count: count))))
            }
        }

        @Test(arguments: [UInt32(0), 1, 15, 1000, .max, .max - 2])
        func `An impossible length ends the reading`(length: UInt32) {
            #expect(!tell(message(Self.newAddress, length: length) + message(17)))
        }

        @Test func `A part of a buffer is read from its own beginning`() {
            let buffer = [0xFF, 0xFF, 0xFF] + message(Self.newRoute) + [0xFF]
            #expect(RouteMessages.tellOfRecovery(buffer[3..<19]))
        }
    }
#endif
