import Foundation
import NetworkQueueTesting
import TestSupport
import Testing

@testable import NetworkQueueKit

/// Every state, every event: what is to be done, and the state after it.
struct RequestStateMachineTests {
    private final class Handle: ExchangeHandle {
        func cancel() {}
        func resume() {}
    }

    private typealias Event = RequestStateMachine.Event

    private static let handle = Handle()
    private static let wait = RetryWait(delay: .seconds(1), timekeeper: ManualClock()) {}
    private static let task = Task<Void, Never> {}
    private static let unprocessed = RequestResult(fileURL: URL(filePath: "/tmp/unprocessed"))
    private static let next = NetworkRequest(.test("next"))

    /// How each state is reached, by events whose effect is a cell of the table. An exclamation mark: cancelled before;
    /// a tilde: paused before.
    private static let paths: [(state: String, events: [Event])] = {
        let exchanging: [Event] = [.start, .beginExchange]
        let handled = exchanging + [.exchangeStarted(number: 1, handle)]
        let asking: [Event] = [.start, .ask(unprocessed: unprocessed)]
        let storing = handled + [.exchangeEnded(storesContent: true, isCut: false)]
        let waiting: [Event] = [.start, .beginWait(wait, next: next)]
        let awaiting = asking + [.asked(step: 1, task)]
        let leaving: [Event] = [.start, .pause, .beginExchange]
        return [
            ("ready", []), ("ready!", [.cancel]), ("working", [.start]), ("working!", [.start, .cancel]),
            ("exchanging", exchanging), ("exchanging!", exchanging + [.cancel]), ("exchanging with handle", handled),
            ("exchanging with handle!", handled + [.cancel]), ("asking", asking), ("asking!", asking + [.cancel]),
            ("awaiting", awaiting), ("storing", storing), ("storing!", storing + [.cancel]), ("waiting", waiting),
            ("queued", waiting + [.waitEnded]), ("ended", [.start, .end]), ("ended!", awaiting + [.cancel]),
            ("working~", [.start, .pause]), ("exchanging~", exchanging + [.pause]),
            ("exchanging with handle~", handled + [.pause]),
            ("exchanging with handle, resumed", handled + [.pause, .unpause]),
            ("ready~", [.pause]), ("queued~", leaving + [.left]), ("leaving~", leaving),
            ("leaving", leaving + [.unpause]), ("leaving!~", leaving + [.cancel]),
            ("leaving with slot", leaving + [.unpause, .resume]), ("leaving with slot~", leaving + [.resume]),
            ("exchanging with handle!~", handled + [.pause, .cancel]), ("waiting~", waiting + [.pause]),
        ]
    }()

    private static let events: [(name: String, event: Event)] = [
        ("start", .start), ("beginExchange", .beginExchange),
        ("exchangeStarted", .exchangeStarted(number: 1, handle)),
        ("exchangeStarted, another", .exchangeStarted(number: 0, handle)),
        ("exchangeEnded", .exchangeEnded(storesContent: false, isCut: false)),
        ("exchangeEnded, cut", .exchangeEnded(storesContent: false, isCut: true)),
        ("exchangeEnded, whole", .exchangeEnded(storesContent: true, isCut: false)),
        ("ask", .ask(unprocessed: unprocessed)), ("asked", .asked(step: 1, task)),
        ("asked, another", .asked(step: 0, task)), ("answered", .answered(step: 1)),
        ("answered, another", .answered(step: 0)), ("stored", .stored),
        ("beginWait", .beginWait(wait, next: next)), ("waitEnded", .waitEnded), ("resume", .resume), ("left", .left),
        ("cancel", .cancel), ("end", .end), ("pause", .pause), ("unpause", .unpause),
    ]

    /// What is not in it is ignored, and changes nothing.
    private static let table: [String: [String: String]] = [
        "ready": ["start": "proceed → working", "cancel": "ignore → ready!"],
        "ready!": ["start": "interrupt → ended!"],
        "working": [
            "beginExchange": "send 1 → exchanging", "exchangeEnded": "proceed → working",
            "exchangeEnded, cut": "proceed → working",
            "exchangeEnded, whole": "proceed → storing", "ask": "ask 1 → asking", "beginWait": "proceed → waiting",
            "cancel": "ignore → working!",
            "end": "finish → ended",
        ],
        "working!": [
            "beginExchange": "interrupt → ended!", "exchangeEnded": "interrupt → ended!",
            "exchangeEnded, cut": "interrupt → ended!",
            "exchangeEnded, whole": "interrupt → ended!", "ask": "interrupt unprocessed → ended!",
            "beginWait": "interrupt wait → ended!", "end": "finish cancelled → ended!",
        ],
        "exchanging": [
            "exchangeStarted": "proceed → exchanging with handle", "exchangeEnded": "proceed → working",
            "exchangeEnded, cut": "proceed → working",
            "exchangeEnded, whole": "proceed → storing",
            "cancel": "ignore → exchanging!",
        ],
        "exchanging!": [
            "exchangeStarted": "cancel → exchanging with handle!", "exchangeEnded": "interrupt → ended!",
            "exchangeEnded, cut": "interrupt → ended!",
            "exchangeEnded, whole": "interrupt → ended!",
        ],
        "exchanging with handle": [
            "exchangeStarted": "proceed → exchanging with handle", "exchangeEnded": "proceed → working",
            "exchangeEnded, cut": "proceed → working",
            "exchangeEnded, whole": "proceed → storing",
            "cancel": "cancel → exchanging with handle!",
        ],
        "exchanging with handle!": [
            "exchangeStarted": "cancel → exchanging with handle!", "exchangeEnded": "interrupt → ended!",
            "exchangeEnded, cut": "interrupt → ended!",
            "exchangeEnded, whole": "interrupt → ended!",
            "cancel": "cancel → exchanging with handle!",
        ],
        "asking": [
            "asked": "proceed → awaiting", "answered": "proceed → working", "cancel": "ignore → asking!",
        ],
        "asking!": ["asked": "interrupt task unprocessed → ended!", "answered": "proceed → working!"],
        "awaiting": ["answered": "proceed → working", "cancel": "interrupt task unprocessed → ended!"],
        "storing": ["stored": "proceed → working", "cancel": "ignore → storing!", "end": "finish → ended"],
        "storing!": ["stored": "proceed → working!", "end": "finish cancelled → ended!"],
        "waiting": ["waitEnded": "proceed → queued", "cancel": "interrupt wait → ended!"],
        "queued": ["resume": "attempt next → working", "cancel": "interrupt → ended!"],
        "ended": [:],
        "ended!": [:],
        "working~": [
            "beginExchange": "pause → leaving~", "exchangeEnded": "proceed → working~",
            "exchangeEnded, cut": "proceed → working~", "exchangeEnded, whole": "proceed → storing~",
            "ask": "ask 1 → asking~", "beginWait": "proceed → waiting~", "cancel": "ignore → working!~",
            "end": "finish → ended~", "unpause": "ignore → working",
        ],
        "exchanging~": [
            "exchangeStarted": "cancel → exchanging with handle~", "exchangeEnded": "proceed → working~",
            "exchangeEnded, cut": "pause → leaving~", "exchangeEnded, whole": "proceed → storing~",
            "cancel": "ignore → exchanging!~", "unpause": "ignore → exchanging",
        ],
        "exchanging with handle~": [
            "exchangeStarted": "cancel → exchanging with handle~", "exchangeEnded": "proceed → working~",
            "exchangeEnded, cut": "pause → leaving~", "exchangeEnded, whole": "proceed → storing~",
            "cancel": "cancel → exchanging with handle!~", "unpause": "ignore → exchanging with handle",
        ],
        "exchanging with handle, resumed": [
            "exchangeStarted": "cancel → exchanging with handle", "exchangeEnded": "proceed → working",
            "exchangeEnded, cut": "pause → leaving", "exchangeEnded, whole": "proceed → storing",
            "cancel": "cancel → exchanging with handle!",
        ],
        "exchanging with handle!~": [
            "exchangeStarted": "cancel → exchanging with handle!~", "exchangeEnded": "interrupt → ended!~",
            "exchangeEnded, cut": "interrupt → ended!~", "exchangeEnded, whole": "interrupt → ended!~",
            "cancel": "cancel → exchanging with handle!~", "unpause": "ignore → exchanging with handle!",
        ],
        "ready~": ["start": "pause → leaving~", "cancel": "ignore → ready!~", "unpause": "ignore → ready"],
        "leaving~": [
            "left": "ignore → queued~", "resume": "ignore → leaving with slot~", "cancel": "ignore → leaving!~",
            "unpause": "ignore → leaving",
        ],
        "leaving": [
            "left": "ignore → queued", "resume": "ignore → leaving with slot", "cancel": "ignore → leaving!",
        ],
        "leaving!~": [
            "left": "interrupt → ended!~", "resume": "ignore → leaving with slot!~", "unpause": "ignore → leaving!",
        ],
        "leaving with slot": [
            "left": "attempt another → working", "cancel": "ignore → leaving with slot!",
        ],
        "leaving with slot~": [
            "left": "pause → leaving~", "cancel": "ignore → leaving with slot!~",
            "unpause": "ignore → leaving with slot",
        ],
        "queued~": ["resume": "pause → leaving~", "cancel": "interrupt → ended!~", "unpause": "ignore → queued"],
        "waiting~": [
            "waitEnded": "proceed → queued~", "cancel": "interrupt wait → ended!~", "unpause": "ignore → waiting",
        ],
    ]

    /// What the table says, and for a pause, which is noted in every state but the last.
    private static func expected(in state: String, after name: String) -> String {
        if let cell = table[state]?[name] { return cell }
        let plain = state.replacing(", resumed", with: "")
        guard name == "pause", !state.hasPrefix("ended") else { return "ignore → \(plain)" }
        let action = state.hasPrefix("exchanging with handle") ? "cancel" : "ignore"
        return "\(action) → \(plain)\(plain.hasSuffix("~") ? "" : "~")"
    }

    private static func machine(after events: [Event]) -> RequestStateMachine {
        var machine = RequestStateMachine()
        for event in events { _ = machine.handle(event) }
        return machine
    }

    private static func describe(_ machine: RequestStateMachine) -> String {
        let state =
            switch machine.state {
            case .ready: "ready"
            case .working: "working"
            case .exchanging(_, let handle): handle == nil ? "exchanging" : "exchanging with handle"
            case .asking: "asking"
            case .awaiting: "awaiting"
            case .storing: "storing"
            case .waiting: "waiting"
            case .leaving(_, let isResumed): isResumed ? "leaving with slot" : "leaving"
            case .queued: "queued"
            case .ended: "ended"
            }
        return state + (machine.isCancelled ? "!" : "") + (machine.isPaused ? "~" : "")
    }

    private static func describe(_ action: RequestStateMachine.Action) -> String {
        switch action {
        case .proceed: "proceed"
        case .ignore: "ignore"
        case .send(let number): "send \(number)"
        case .ask(let step): "ask \(step)"
        case .cancel(let found): found === handle ? "cancel" : "cancel another"
        case .pause: "pause"
        case .attempt(let request): request?.url == next.url ? "attempt next" : "attempt another"
        case .finish(let isCancelled): isCancelled ? "finish cancelled" : "finish"
        case .interrupt(let interruption):
            [
                "interrupt", interruption.wait.map { $0 === wait ? "wait" : "another wait" },
                interruption.task.map { $0 == task ? "task" : "another task" },
                interruption.unprocessed.map { $0.fileURL == unprocessed.fileURL ? "unprocessed" : "another file" },
            ]
            .compactMap { $0 }.joined(separator: " ")
        }
    }

    @Test func `The table of the state machine has every state in it`() {
        #expect(Set(Self.paths.map(\.state)) == Set(Self.table.keys))
        for (state, events) in Self.paths {
            #expect(Self.describe(Self.machine(after: events)) == state.replacing(", resumed", with: ""))
        }
        for cells in Self.table.values { #expect(cells.keys.allSatisfy(Self.events.map(\.name).contains)) }
    }

    @Test(arguments: Self.paths.map(\.state), Self.events.map(\.name))
    func `The state machine does what the table says`(state: String, name: String) throws {
        let path = try #require(Self.paths.first { $0.state == state })
        let event = try #require(Self.events.first { $0.name == name })
        var machine = Self.machine(after: path.events)
        let action = Self.describe(machine.handle(event.event))
        #expect("\(action) → \(Self.describe(machine))" == Self.expected(in: state, after: name))
    }

    @Test func `The state machine numbers exchanges and questions, so that late events are told apart`() {
        var machine = Self.machine(after: [
            .start, .beginExchange, .exchangeEnded(storesContent: false, isCut: false),
        ])
        #expect(Self.describe(machine.handle(.ask(unprocessed: nil))) == "ask 2")
        #expect(Self.describe(machine.handle(.exchangeStarted(number: 1, Self.handle))) == "ignore")
        #expect(Self.describe(machine.handle(.answered(step: 2))) == "proceed")
        #expect(Self.describe(machine.handle(.beginExchange)) == "send 3")
        #expect(Self.describe(machine.handle(.asked(step: 2, nil))) == "ignore")
        #expect(Self.describe(machine.handle(.answered(step: 2))) == "ignore")
        #expect(Self.describe(machine) == "exchanging")
    }

    @Test func `The state machine keeps what the next attempt sends until it begins, and no longer`() {
        var machine = Self.machine(after: [.start, .beginWait(Self.wait, next: nil), .waitEnded])
        guard case .attempt(nil) = machine.handle(.resume) else { return #expect(Bool(false), "not the own request") }
        machine = Self.machine(after: [
            .start, .beginWait(Self.wait, next: Self.next), .waitEnded, .resume, .beginWait(Self.wait, next: nil),
            .waitEnded,
        ])
        guard case .attempt(nil) = machine.handle(.resume) else { return #expect(Bool(false), "the former request") }
        machine = Self.machine(after: [
            .start, .beginWait(Self.wait, next: Self.next), .waitEnded, .pause, .resume, .unpause, .resume,
        ])
        #expect(Self.describe(machine.handle(.left)) == "attempt next")
    }
}
