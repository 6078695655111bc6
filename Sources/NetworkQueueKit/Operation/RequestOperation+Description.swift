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
