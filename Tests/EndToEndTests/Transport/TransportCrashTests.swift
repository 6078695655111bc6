#if canImport(FoundationNetworking)
    import Foundation
    import LoopbackServer
    import NetworkQueueKit
    import Testing

    /// Where FoundationNetworking ends the process: each in a process of its own, so that its repair is noticed.
    @Suite(
        .serialized, .enabled(if: TransportKind.includesURLSession, "URLSessionTransport is left out"),
        .timeLimit(.minutes(10)))
    struct TransportCrashTests {
        @Test func `URLSession on Linux does not survive trailers`() async {
            await withKnownIssue(KnownLimitation.crashesOnTrailers.reason) {
                await #expect(processExitsWith: .success) {
                    await TransportCrashTests.get(.text("Hello").chunked(trailers: ["X-Trailer": "1"]))
                }
            }
        }

        @Test func `URLSession on Linux does not survive a head that is cut off`() async {
            await withKnownIssue(KnownLimitation.crashesOnTruncatedHead.reason) {
                await #expect(processExitsWith: .success) {
                    await TransportCrashTests.get(.raw("HTTP/1.1 200 OK\r\nContent-Le"))
                }
            }
        }

        @Test func `URLSession on Linux does not survive an absurd length`() async {
            await withKnownIssue(KnownLimitation.crashesOnAbsurdLength.reason) {
                await #expect(processExitsWith: .success) {
                    await TransportCrashTests.get(
                        .raw("HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\nHello"))
                }
            }
        }

        /// Gets a response to the end, whatever that is.
        private static func get(_ response: ScriptedResponse) async {
            guard let bench = try? TransportBench(.urlSession) else { exit(0) }
            _ = await bench.get(response)
        }
    }
#endif
