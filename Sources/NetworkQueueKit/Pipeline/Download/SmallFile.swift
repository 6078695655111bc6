/// A file whose whole content is in memory.
protocol SmallFile: Sendable {
    /// Makes the file. Waits for the disk.
    ///
    /// - Parameter leavesFolder: told of a folder that has got a name which is not on the disk yet.
    func makeFile(_ leavesFolder: (String) -> Void) throws(NetworkError) -> DeliveredContent
}
