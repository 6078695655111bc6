import Foundation
import LoopbackHTTP
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

/// A list that an app restores at each launch must not end the app, whatever it has in it.
@Suite(.timeLimit(.minutes(10)))
struct ExtremeRecordTests {
    /// Replaces each number of a record, and each half of a duration, with an extreme one.
    private static func extreme(_ value: Any, using random: inout SplitMix64) -> Any {
        switch value {
        case let list as [Any]: return list.map { extreme($0, using: &random) }
        case let object as [String: Any]:
            var result: [String: Any] = [:]
            // In a fixed order, so that a seed gives the same record again.
            for key in object.keys.sorted() {
                let value = object[key] ?? 0
                if let pair = value as? [NSNumber], pair.count == 2, !["statusCodes", "errorCodes"].contains(key) {
                    result[key] = extremeDuration(using: &random)
                } else {
                    result[key] = extreme(value, using: &random)
                }
            }
            return result
        case let number as NSNumber where !(value is Bool) && number.doubleValue == number.doubleValue.rounded():
            return NSNumber(value: Extremes.numbers.randomElement(using: &random) ?? 0)
        default: return value
        }
    }

    private static func extremeDuration(using random: inout SplitMix64) -> [NSNumber] {
        let high: Int64 = [.max, .min, -1, 0, 1, 1 << 62].randomElement(using: &random) ?? 0
        let low: UInt64 = [.max, 0, 1, 1 << 63].randomElement(using: &random) ?? 0
        return [NSNumber(value: high), NSNumber(value: low)]
    }

    private static func request(_ folder: TemporaryFolder) -> NetworkRequest {
        var request = NetworkRequest(
            .test("a"), destination: .file(folder.file("a"), onConflict: .overwrite, resumes: true))
        request.idleTimeout = .seconds(1)
        request.totalTimeout = .seconds(1)
        request.expectedDownloadSize = 1
        request.estimatedDownloadSize = 2
        request.maxDecodedSize = 3
        request.splitting = .init(maxParts: 4, minPartSize: 1)
        request.mirrors = [.test("b")]
        var policy = RetryPolicy(
            maxRetries: 1, backoff: .exponential(base: .seconds(1), factor: 2, maximum: .seconds(2)))
        policy.outageTolerance = .seconds(1)
        request.retryPolicy = policy
        return request
    }

    @Test(arguments: [UInt64.random(in: 0...UInt64.max)])
    func `A record of extreme numbers is read, run in either queue, and ends`(seed: UInt64) async throws {
        print("seed \(seed)")
        var random = SplitMix64(seed: seed)
        let folder = try TemporaryFolder()
        let plain = try JSONSerialization.jsonObject(with: JSONEncoder().encode(Self.request(folder).record))
        for round in 0..<60 {
            let data = try JSONSerialization.data(withJSONObject: Self.extreme(plain, using: &random))
            // A number that does not fit its type is an error of the decoder, which the app gets.
            guard let record = try? JSONDecoder().decode(NetworkRequest.Record.self, from: data) else { continue }
            let request = NetworkRequest(record)
            for timeout in [request.idleTimeout, request.totalTimeout, request.retryPolicy?.maxRetryAfter] {
                #expect(timeout.map { (.zero - .longest ... .longest).contains($0) } ?? true)
            }
            _ = (request.urlRequest, "\(request)", request.record)
            let transport = ScriptedTransport { exchange in
                switch (round + exchange.path.utf8.count) % 3 {
                case 0: .fail(.cannotConnectToHost)
                case 1: .status(503, ["Retry-After": "99999999999999999999"])
                default: .ok(Data("x".utf8))
                }
            }
            let rig = QueueRig(transport) { $0.showsAccurateProgress = round.isMultiple(of: 2) }
            let operation = rig.queue.add(contentsOf: [record])[0]
            rig.queue.go()
            #expect(await eventually { transport.counts.started > 0 || operation.result != nil })
            for _ in 0..<4 { rig.advance(by: .seconds(Int64.max)) }
            _ = (rig.queue.progress, operation.progress)
            rig.queue.cancelAll()
            await rig.recorder.waitForDrain()
            #expect(operation.result != nil)

            let queue = RequestQueue(transport: ScriptedTransport { _ in .ok(Data("x".utf8)) })
            let other = queue.add(contentsOf: [record])[0]
            await queue.waitUntilEmpty()
            #expect(other.result != nil)
        }
    }
}
