/// Which answer a request gets. Plain state under the server's lock.
struct Routes {
    /// What a path was scripted with.
    enum Script {
        /// Each request takes the next one; the last one repeats.
        case responses([ScriptedResponse], next: Int)
        case handler(LoopbackServer.Handler)
    }

    /// What one request is answered with.
    enum Answer {
        case response(ScriptedResponse)
        case handler(LoopbackServer.Handler)
    }

    private var exact: [String: Script] = [:]
    /// The keys that end in `*`, without it; longest first, so that the most precise one wins.
    private var prefixes: [(prefix: String, script: Script)] = []
    private var fallback: Script

    init(fallback: Script) {
        self.fallback = fallback
    }

    /// Scripts a key, in place of what it was scripted with before.
    mutating func set(_ key: String, _ script: Script) {
        let key = key.hasPrefix("/") || key.contains("://") ? key : "/" + key
        guard key.hasSuffix("*") else {
            exact[key] = script
            return
        }
        let prefix = String(key.dropLast())
        prefixes.removeAll { $0.prefix == prefix }
        let place = prefixes.firstIndex { $0.prefix.utf8.count < prefix.utf8.count } ?? prefixes.endIndex
        prefixes.insert((prefix, script), at: place)
    }

    /// The answer to a request: by target, path, longest prefix, fallback.
    mutating func answer(_ request: ReceivedRequest) -> Answer {
        // A HEAD sees the answer that the GET after it will get: sizing must not use up a sequence.
        let advances = request.method != "HEAD"
        if request.query != nil, let answer = Routes.answer(&exact[request.target], advances) { return answer }
        if let answer = Routes.answer(&exact[request.path], advances) { return answer }
        if let index = prefixes.firstIndex(where: { request.path.hasPrefix($0.prefix) }) {
            return Routes.answer(&prefixes[index].script, advances)
        }
        return Routes.answer(&fallback, advances)
    }

    private static func answer(_ script: inout Script?, _ advances: Bool) -> Answer? {
        guard var present = script else { return nil }
        let answer = answer(&present, advances)
        // Written back only where it changed; most scripts are one response.
        if case .responses(let responses, _) = present, responses.count > 1 { script = present }
        return answer
    }

    private static func answer(_ script: inout Script, _ advances: Bool) -> Answer {
        switch script {
        case .handler(let handler):
            return .handler(handler)
        case .responses(let responses, let next):
            if advances, next + 1 < responses.count { script = .responses(responses, next: next + 1) }
            return .response(responses[next])
        }
    }
}
