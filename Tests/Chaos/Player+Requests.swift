import Foundation
import LoopbackHTTP
import NetworkQueueKit

extension Player {
    /// The names of the groups of every queue. Two are the same text in other bytes.
    static let groups = ["a", "\u{e9}", "e\u{301}"]

    func register(_ one: Case) {
        remains.note(one.operation)
        cases.withLock { $0.append(one) }
    }

    /// An operation of any kind.
    func makeCase(_ dice: inout Dice, stage: Int? = nil) -> Case {
        let number = dice.number(0..<origin.contents.count)
        let content = origin.contents[number]
        var place = Case.Place.memory
        let kind = dice.pick(["file", "file", "file", "redirect", "secret", "link"])
        // The successor of an operation would begin with the first link again.
        var request =
            kind == "link" && !retries
            ? origin.links.request(origin.url(kind, number))
            : NetworkRequest(origin.url(kind == "link" ? "file" : kind, number))
        switch dice.number(0..<14) {
        case 0..<3: break
        case 3..<7:
            let file = folder.appending(path: "\(UUID().uuidString)")
            request.destination = .file(file, onConflict: .overwrite)
            place = .file(file)
        case 7..<8:
            let sink = VerifyingSink(content, isSlow: dice.isOne(in: 3))
            request.destination = .sink(sink)
            place = .sink(sink)
        case 8:
            request.destination = .discard
            place = .none
        case 9:
            // The first server has nothing, so its mirror is asked.
            request = NetworkRequest(origin.url("gone", number))
            request.mirrors = [origin.url("file", number)]
        case 10:
            let kind = dice.pick(["new", "changed"])
            request = upload(content, kind, number, &dice)
            request.uploadCondition = kind == "new" ? .ifMissing : .ifDifferent
            place = .server { [deposit = origin.deposit] in deposit.hasCopy(kind, number) }
        case 11:
            let key = UUID().uuidString
            request = .upload(
                source(content, number), to: origin.url("tus", number), protocol: .tus, headers: [Deposit.key: key])
            place = .server { [deposit = origin.deposit] in deposit.hasCompleted(key) }
        default:
            request = upload(content, "put", number, &dice)
            place = .none
        }
        request.stage = stage ?? dice.pick([0, 0, 0, 0, 0, 0, 0, 1, 2])
        request.minBytesPerSecond = dice.pick([nil, nil, nil, 1000, 10_000_000])
        if request.method == "GET", dice.isOne(in: 8) {
            request.expectedDownloadSize = content.size + Int64(dice.number(0..<2))
        }
        if dice.isOne(in: 8) { request.totalTimeout = .milliseconds(dice.number(1..<200)) }
        request.idleTimeout = .milliseconds(800)
        request.priority = dice.pick([.low, .normal, .normal, .high])
        request.group = dice.pick([nil, nil, nil] + Self.groups)
        let operation = RequestOperation(request)
        return Case(operation, content, place, completions: handlers(of: operation, &dice))
    }

    private func upload(
        _ content: GeneratedContent, _ kind: String, _ number: Int, _ dice: inout Dice
    ) -> NetworkRequest {
        let url = origin.url(kind, number)
        guard dice.isOne(in: 2) else {
            return NetworkRequest(url, method: "PUT", body: .data(Data(content.bytes(in: 0..<content.size))))
        }
        return NetworkRequest(url, method: "PUT", body: .file(source(content, number)))
    }

    /// A file with the content.
    private func source(_ content: GeneratedContent, _ number: Int) -> URL {
        let file = folder.appending(path: "source-\(number)")
        // Written once: what is being sent must not change.
        sources.withLock {
            if $0.insert(number).inserted { try? Data(content.bytes(in: 0..<content.size)).write(to: file) }
        }
        return file
    }

    /// Sets some of the handlers, and returns the counter of the completion handler's calls.
    private func handlers(of operation: RequestOperation, _ dice: inout Dice) -> Guarded<Int>? {
        if dice.isOne(in: 4) {
            let act: RequestOperation.ProgressHandler = { [weak self] fraction, _, _ in
                self?.faults.expect(fraction.map { (0...1).contains($0) } ?? true, "a handler gets \(fraction as Any)")
                self?.actInCallback(of: nil, mayReset: false)
            }
            operation.downloadProgressHandler = act
            operation.uploadProgressHandler = act
        }
        if dice.isOne(in: 4) { operation.redirectHandler = { $0 } }
        if dice.isOne(in: 4) {
            operation.challengeHandler = { _ in URLCredential(user: "u", password: "p", persistence: .none) }
        }
        guard dice.isOne(in: 2) else { return nil }
        let completions = Guarded(0)
        operation.completionHandler = { [weak self] _, _, _ in
            completions.withLock { $0 += 1 }
            self?.actInCallback(of: nil, mayReset: false)
        }
        return completions
    }
}
