extension RequestOperation {
    /// What `description` says.
    var stateLine: String {
        let (status, attempts, error) = state.withLock { ($0.status, $0.attempts, $0.answer.result?.error) }
        var line = "\(id) \(request), \(status)"
        if let error, status == .failed { line += " (\(error.code))" }
        if attempts > 0 { line += ", attempt \(attempts)" }
        return line.singleLine
    }
}

extension RequestOperation: CustomReflectable {
    /// What `dump` shows: where the operation stands, and nothing that is secret.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["id": id, "request": request, "status": status, "error": error as Any],
            displayStyle: .class)
    }
}
