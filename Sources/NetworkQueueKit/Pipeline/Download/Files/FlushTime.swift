/// When a file that is being stored is flushed to the disk.
enum FlushTime {
    /// Before it gets its name; its folder's entry afterwards.
    case atOnce(FlushCalls)
    /// With other files of the volume.
    case later(UnflushedFiles, UnflushedFiles.Volume)
    case never

    /// Flushes a complete file that has no name yet, if that must be now. Returns 0 or an `errno` code.
    func flush(_ descriptor: Int32) -> Int32 {
        if case .atOnce(let calls) = self { calls.flushFile(descriptor) } else { 0 }
    }

    /// Leaves a file that has its name now for later, if it was not flushed.
    func leave(_ descriptor: Int32, in folder: String) {
        if case .later(let files, let volume) = self { files.add(descriptor, in: folder, on: volume) }
    }

    /// Flushes the folder's entry of a file that was flushed before.
    func flush(folder: String) {
        if case .atOnce = self { POSIXFile.synchronize(folder: folder) }
    }
}
