import NetworkQueueKit

/// The scripted answers by path. Plain state, guarded by the server's lock.
struct Routes {
    /// The script of one path.
    enum Script {
        /// Each request gets the next response; the last response repeats.
        case responses([ScriptedResponse], next: Int)
        case handler(LoopbackServer.Handler)
    }

    /// The answer to one request.
    enum Answer {
        case response(ScriptedResponse)
        case handler(LoopbackServer.Handler)
    }

    private var exact: [ByteText: Script] = [:]
    /// The scripts of keys that end in `*`, without the `*`; longest first, so that the most specific prefix wins.
    private var prefixes: [(prefix: String, script: Script)] = []
    private var fallback: Script

    init(fallback: Script) {
        self.fallback = fallback
    }

    /// Sets a key's script, replacing an earlier one.
    mutating func set(_ key: String, _ script: Script) {
        let isWhole = key.starts(withBytesOf: "/") || key.index(afterBytesOf: "://") != nil
        let key = isWhole ? key : "/" + key
        guard key.ends(withBytesOf: "*") else {
            exact[ByteText(key)] = script
            return
        }
        let prefix = String(Substring(key.utf8.dropLast()))
        prefixes.removeAll { $0.prefix.equals(bytesOf: prefix) }
        let place = prefixes.firstIndex { $0.prefix.utf8.count < prefix.utf8.count } ?? prefixes.endIndex
        prefixes.insert((prefix, script), at: place)
    }

    /// The answer to a request, looked up by target, path and longest prefix, in this order; otherwise the fallback.
    mutating func answer(_ request: ReceivedRequest) -> Answer {
        // HEAD gets the response that the next GET will get, because sizing must not advance a sequence.
        let advances = request.method != "HEAD"
        if request.query != nil, let answer = Routes.answer(&exact[ByteText(request.target)], advances) {
            return answer
        }
        if let answer = Routes.answer(&exact[ByteText(request.path)], advances) { return answer }
        if let index = prefixes.firstIndex(where: { request.path.starts(withBytesOf: $0.prefix) }) {
            return Routes.answer(&prefixes[index].script, advances)
        }
        return Routes.answer(&fallback, advances)
    }

    private static func answer(_ script: inout Script?, _ advances: Bool) -> Answer? {
        guard var present = script else { return nil }
        let answer = answer(&present, advances)
        // Write back only if it can have changed; most scripts have one response.
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
