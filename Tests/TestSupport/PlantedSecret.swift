import Foundation

/// A name and a password that tests put wherever credentials may be, and look for in everything that can be printed.
package enum PlantedSecret {
    package static let user = "mellon-user"
    package static let word = "mellon-word"
    /// Both as the value of an `Authorization` field.
    package static let basic = "Basic " + Data("\(user):\(word)".utf8).base64EncodedString()
    /// Name and password as a URL carries them, and with every character percent-encoded.
    package static let userInformation = ["\(user):\(word)", "\(escaped(user)):\(escaped(word))"]

    /// The texts by which they are recognized, in lower case but for those in Base64.
    private static let plainForms = ["mellon", "%6d%65%6c%6c%6f%6e", "6d656c6c6f6e"]
    private static let base64Forms = [user, word, "\(user):\(word)"].map {
        // Without the last letters, which depend on what follows.
        String(Data($0.utf8).base64EncodedString().dropLast(4))
    }

    package static func escaped(_ text: String) -> String {
        text.utf8.map { String(format: "%%%02X", Int($0)) }.joined()
    }

    /// Whether a text has one of them in any form, a list of byte values included.
    package static func isIn(_ text: String) -> Bool {
        let lowercased = text.lowercased()
        if plainForms.contains(where: lowercased.contains) { return true }
        if base64Forms.contains(where: text.contains) { return true }
        // The bytes of "mellon", with whatever separates elements.
        return text.contains(/\b109\D+101\D+108\D+108\D+111\D+110\b/)
    }

    /// Where it can be seen in a value: the text, or the path of a mirror's children. Empty when it cannot.
    package static func traces(in value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        let texts = [
            "interpolation": "\(value)", "describing": String(describing: value),
            "reflecting": String(reflecting: value), "dump": dumped,
        ]
        var walk = MirrorWalk()
        walk.visit(value, path: "\(type(of: value))")
        return texts.filter { isIn($0.value) }.map { "\(type(of: value)), \($0.key): \($0.value)" } + walk.traces
    }

    /// Looks at all that mirrors lead to.
    private struct MirrorWalk {
        var traces: [String] = []
        private var visited: Set<ObjectIdentifier> = []
        private var remaining = 50_000

        mutating func visit(_ value: Any, path: String) {
            guard remaining > 0, path.utf8.count < 2000 else { return }
            remaining -= 1
            let mirror = Mirror(reflecting: value)
            if mirror.displayStyle == .class {
                guard visited.insert(ObjectIdentifier(value as AnyObject)).inserted else { return }
            }
            if let text = text(of: value), isIn(text) { traces.append("\(path) = \(text)") }
            var level: Mirror? = mirror
            while let current = level {
                for child in current.children {
                    if let label = child.label, isIn(label) { traces.append("\(path).\(label)") }
                    visit(child.value, path: "\(path).\(child.label ?? "_")")
                }
                level = current.superclassMirror
            }
        }

        private func text(of value: Any) -> String? {
            switch value {
            case let text as String: text
            case let text as Substring: String(text)
            case let url as URL: url.absoluteString
            case let data as Data: String(decoding: data, as: UTF8.self)
            case let bytes as [UInt8]: String(decoding: bytes, as: UTF8.self)
            case let error as any Error: "\((error as NSError).userInfo) \(error.localizedDescription)"
            default: nil
            }
        }
    }
}
