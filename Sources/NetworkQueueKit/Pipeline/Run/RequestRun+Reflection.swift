/// What a transport that dumps its receiver sees: not the run's state, which has credentials and may change meanwhile.
extension RequestRun: CustomReflectable {
    var customMirror: Mirror { Mirror(self, children: ["request": request], displayStyle: .class) }
}
