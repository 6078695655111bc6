import Foundation
import NetworkQueueKit

extension Player {
    /// Makes one random call. Inside a callback only the queue of the callback is reset: two threads, each of which
    /// waits for the callback of the other, would wait for ever.
    func move(_ dice: inout Dice, in place: Place) {
        let stage = dice.pick(stages)
        switch dice.number(0..<100) {
        case 0..<22: addOne(&dice, to: stage)
        case 22..<24: addDependent(&dice, to: stage)
        case 24..<27: startAlone(&dice)
        case 27..<30: read(&dice, from: stage)
        case 30..<31: letGo(&dice)
        case 31..<32: startTrial(&dice)
        case 32..<33: startSlow(&dice)
        case 33..<68: moveOperation(&dice)
        case 68..<76: stage.batch?.go()
        case 76..<97: moveQueue(&dice, stage)
        default:
            guard dice.isOne(in: 12) else { return }
            switch place {
            case .thread: stage.reset()
            case .delegate(let batch): stages.first { $0.batch === batch }?.reset()
            case .handler: break
            }
        }
    }

    private func moveOperation(_ dice: inout Dice) {
        // The latest ones, most of which have not ended.
        let latest = cases.withLock { $0.suffix(40).map(\.operation) }
        guard !latest.isEmpty else { return }
        let operation = dice.pick(latest)
        switch dice.number(0..<22) {
        case 0..<9: operation.pause()
        case 9..<14: operation.resume()
        case 14..<17: operation.cancel()
        case 17:
            // Inside the window between a pause and its effect.
            operation.pause()
            operation.cancel()
        case 18:
            operation.pause()
            operation.resume()
            operation.pause()
            operation.resume()
        case 19: operation.moveToFront()
        case 20: operation.priority = dice.pick([.veryLow, .low, .normal, .high, .veryHigh])
        default:
            for stage in stages { stage.queue.cancel(operation) }
            _ = ("\(operation)", operation.progress, operation.status, operation.metrics, operation.error)
        }
    }

    private func moveQueue(_ dice: inout Dice, _ stage: Stage) {
        let queue = stage.queue
        switch dice.number(0..<32) {
        case 28: queue.requestRate = dice.pick([nil, RequestRate(10, per: .milliseconds(10))])
        case 29: queue.requestRatePerHost = dice.pick([nil, RequestRate(10, per: .milliseconds(10))])
        case 30: queue.minBytesPerSecond = dice.pick([nil, 1000, 10_000_000])
        case 24...27: if let batch = stage.batch { moveGroup(&dice, batch.group(dice.pick(Self.groups))) }
        case 0: if dice.isOne(in: 4) { queue.cancelAll() }
        case 1: if dice.isOne(in: 4) { queue.cancelWaiting() }
        case 2...4: queue.pauseAll()
        case 5...8: queue.resumeAll()
        case 9: stage.isSuspended = true
        case 10...12: stage.isSuspended = false
        case 13: queue.maxConcurrentRequestCount = dice.number(0..<8)
        case 14: queue.maxConcurrentRequestCountPerHost = dice.pick([nil, 1, 2, 6])
        case 15: queue.mode = dice.pick(QueueMode.allCases)
        case 16: queue.maxBytesPerSecond = dice.pick([nil, 2_000_000, 20_000_000])
        case 17: queue.duplicatePolicy = dice.isOne(in: 4) ? .cancelEarlier : .allow
        case 18: queue.retryPolicy.maxRetries = dice.number(0..<6)
        case 19: if retries { stage.batch?.retryFailed(includingCancelled: dice.isOne(in: 2)) }
        case 20:
            if let batch = stage.batch {
                run { player in
                    guard !player.isOver else { return }
                    _ = await batch.run()
                }
            }
        case 21:
            _ = ("\(queue)", queue.requests.count, queue.unfinishedRecords.count)
            _ = (stage.batch?.progress, stage.batch?.foundationProgress.fractionCompleted)
        default: stage.batch?.go()
        }
    }

    private func moveGroup(_ dice: inout Dice, _ group: NetworkQueue.Group) {
        switch dice.number(0..<12) {
        case 0: group.cancelAll()
        case 1, 2: group.pauseAll()
        case 3...5: group.resumeAll()
        case 6: group.maxConcurrentRequestCount = dice.pick([nil, 0, 1, 3])
        case 7: group.cancelsAllOnFailure = dice.pick([nil, false, true])
        case 8, 9:
            run { player in
                guard !player.isOver else { return }
                _ = await group.summary()
            }
        default:
            let progress = group.progress
            faults.expect((0...1).contains(progress.fractionCompleted), "a group has \(progress.fractionCompleted)")
            _ = (group.requests.count, group.foundationProgress.fractionCompleted)
        }
    }

    /// Starts an operation without a queue of the library, or in one of Foundation's.
    private func startAlone(_ dice: inout Dice) {
        let one = makeCase(&dice)
        register(one)
        if dice.isOne(in: 4) { one.operation.pause() }
        if dice.isOne(in: 2) { foreignQueue.addOperation(one.operation) } else { one.operation.start() }
    }

    private func addOne(_ dice: inout Dice, to stage: Stage) {
        let one = makeCase(&dice)
        register(one)
        if dice.isOne(in: 12) { one.operation.pause() }
        stage.add(one.operation)
    }

    private func addDependent(_ dice: inout Dice, to stage: Stage) {
        // One that waits for another of a higher stage would wait for ever.
        let (first, second) = (makeCase(&dice, stage: 0), makeCase(&dice))
        second.operation.addDependency(first.operation)
        register(first)
        register(second)
        if dice.isOne(in: 3) { second.operation.pause() }
        stage.add(first.operation)
        stage.add(second.operation)
    }

    /// Adds to a queue that loses its last reference at once. It goes on, or it cancels what it has.
    private func letGo(_ dice: inout Dice) {
        let queue: any RequestQueueing
        if dice.isOne(in: 2) {
            let batch = NetworkQueue(transport: transport, delegateQueue: DispatchQueue(label: "chaos.let-go"))
            if !dice.isOne(in: 3) { batch.go() }
            queue = batch
        } else {
            queue = RequestQueue(transport: transport)
        }
        remains.note(queue)
        for _ in 0..<3 {
            let one = makeCase(&dice)
            register(one)
            if dice.isOne(in: 4) { one.operation.pause() }
            queue.add(one.operation)
        }
    }

    /// Reads a response as a stream, to its end or a part of it.
    private func read(_ dice: inout Dice, from stage: Stage) {
        let number = dice.number(0..<origin.contents.count)
        var request = NetworkRequest(origin.url("file", number))
        request.idleTimeout = .milliseconds(800)
        let (wanted, content) = (request, origin.contents[number])
        let maximum = dice.isOne(in: 2) ? Int64.max : Int64(dice.number(0..<20_000))
        run { player in
            guard !player.isOver, let bytes = try? await stage.queue.bytes(for: wanted) else { return }
            var verifier = content.verifier()
            do {
                for try await chunk in bytes.chunks {
                    verifier.update(chunk)
                    if verifier.position > maximum { break }
                }
                player.faults.expect(
                    verifier.position > maximum || verifier.isComplete,
                    "a stream ended well after \(verifier.position) of \(content.size) bytes")
            } catch {}
            player.faults.expect(
                verifier.isCorrect,
                "a stream has wrong content from \(verifier.firstMismatch ?? 0) on, of \(content.size), "
                    + "read to \(verifier.position), status \(bytes.head.statusCode), \(bytes.head.headers)")
        }
    }
}

// MARK: Queues of their own

extension Player {
    private func startTrial(_ dice: inout Dice) {
        let trial = Trial(self, &dice)
        for one in trial.cases { register(one) }
        run { _ in await trial.run() }
    }

    /// Requests a file from a server that is too slow. Only a mirror can bring it.
    private func startSlow(_ dice: inout Dice) {
        // The rule for slow transfers keeps a URL that has brought 1 MiB, and a busy machine slows the mirror, too.
        let sizes = Int64(100_000)..<1 << 20
        guard let number = origin.contents.firstIndex(where: { sizes.contains($0.size) }) else { return }
        var request = NetworkRequest(origin.url("slow", number))
        request.minBytesPerSecond = 10_000_000
        if dice.isOne(in: 2) { request.mirrors = [origin.url("honest", number)] }
        let one = Case(RequestOperation(request), origin.contents[number], .memory, completions: nil)
        register(one)
        let queue = RequestQueue(transport: transport)
        queue.minSpeedInterval = .milliseconds(50)
        remains.note(queue)
        queue.add(one.operation)
        run { player in
            _ = try? await one.operation.response()
            let isRight =
                one.operation.request.mirrors.isEmpty
                ? one.operation.error?.code == .timedOut : one.operation.error == nil
            player.faults.expect(
                isRight || one.operation.status == .cancelled, "\(one.operation) is too slow: \(one.operation.status)")
        }
    }
}
