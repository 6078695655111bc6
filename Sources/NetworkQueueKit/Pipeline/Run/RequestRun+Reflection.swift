// What `dump` shows of what the pipeline hands to a transport: neither the credentials of a run nor the content that it sends.

extension RequestRun: CustomReflectable {
    var customMirror: Mirror { Mirror(self, children: ["request": request], displayStyle: .class) }
}

extension RunBody: CustomReflectable {
    var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}

extension DataBody: CustomReflectable {
    var customMirror: Mirror { Mirror(self, children: ["length": length], displayStyle: .struct) }
}

extension MultipartBody: CustomReflectable {
    var customMirror: Mirror { Mirror(self, children: ["length": length], displayStyle: .class) }
}
