extension RequestOperation: CustomReflectable {
    /// What `dump` shows: where the operation stands, and nothing that is secret.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["id": id, "request": request, "status": status, "error": error as Any],
            displayStyle: .class)
    }
}
