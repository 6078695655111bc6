/// Tells a file from all others of the system, whatever names it has, for as long as it is open.
struct FileIdentity: Equatable {
    let device: UInt64
    let number: UInt64
}
