// What the overlay (swift/stdlib/public/Platform/Platform.swift) adds to the headers: macros, and functions with a variable
// number of arguments.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
@_exported import Darwin
import Swift
@_silgen_name("nqk_errno") func _errno() -> Int32
public var errno: Int32 {
    get { _errno() }
    set {}
}
@_silgen_name("nqk_open2") public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32
@_silgen_name("nqk_open3") public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32
@_silgen_name("nqk_openat2") public func openat(_ fd: Int32, _ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32
@_silgen_name("nqk_openat3") public func openat(
    _ fd: Int32, _ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t
) -> Int32
@_silgen_name("nqk_fcntl2") public func fcntl(_ fd: Int32, _ cmd: Int32) -> Int32
@_silgen_name("nqk_fcntl3") public func fcntl(_ fd: Int32, _ cmd: Int32, _ value: Int32) -> Int32
@_silgen_name("nqk_fcntl3p") public func fcntl(_ fd: Int32, _ cmd: Int32, _ ptr: UnsafeMutableRawPointer) -> Int32
@_silgen_name("nqk_ioctl3") public func ioctl(_ fd: CInt, _ request: UInt, _ value: CInt) -> CInt
@_silgen_name("nqk_ioctl3p") public func ioctl(_ fd: CInt, _ request: UInt, _ ptr: UnsafeMutableRawPointer) -> CInt
@_silgen_name("nqk_ioctl2") public func ioctl(_ fd: CInt, _ request: UInt) -> CInt
public var S_IFMT: mode_t { 0o170000 }
public var S_IFIFO: mode_t { 0o010000 }
public var S_IFCHR: mode_t { 0o020000 }
public var S_IFDIR: mode_t { 0o040000 }
public var S_IFBLK: mode_t { 0o060000 }
public var S_IFREG: mode_t { 0o100000 }
public var S_IFLNK: mode_t { 0o120000 }
public var S_IFSOCK: mode_t { 0o140000 }
public var S_IRWXU: mode_t { 0o700 }
public var S_IRUSR: mode_t { 0o400 }
public var S_IWUSR: mode_t { 0o200 }
public var S_IXUSR: mode_t { 0o100 }
public typealias sighandler_t = @convention(c) (Int32) -> Void
public var SIG_DFL: (@convention(c) (Int32) -> Void)? { nil }
public var SIG_IGN: (@convention(c) (Int32) -> Void) { unsafeBitCast(1, to: (@convention(c) (Int32) -> Void).self) }
public var SIG_ERR: (@convention(c) (Int32) -> Void) { unsafeBitCast(-1, to: (@convention(c) (Int32) -> Void).self) }
#if os(macOS)
    @_silgen_name("nqk_environ") func _environ() -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    public var environ: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> { _environ() }
#endif
public let MAP_FAILED: UnsafeMutableRawPointer! = UnsafeMutableRawPointer(bitPattern: -1)
// API notes of the SDK give the enumerators of clockid_t the macros' names.
public var CLOCK_REALTIME: clockid_t { _CLOCK_REALTIME }
public var CLOCK_MONOTONIC: clockid_t { _CLOCK_MONOTONIC }
public var CLOCK_MONOTONIC_RAW: clockid_t { _CLOCK_MONOTONIC_RAW }
public var CLOCK_UPTIME_RAW: clockid_t { _CLOCK_UPTIME_RAW }
public var CLOCK_PROCESS_CPUTIME_ID: clockid_t { _CLOCK_PROCESS_CPUTIME_ID }
public var CLOCK_THREAD_CPUTIME_ID: clockid_t { _CLOCK_THREAD_CPUTIME_ID }
// TiocConstants.swift of the overlay
public var TIOCGWINSZ: UInt { 0x40087468 }
public var TIOCSWINSZ: UInt { 0x80087467 }
public var TIOCSCTTY: UInt { 0x20007461 }
public var FIONREAD: UInt { 0x4004667f }
public var TIOCOUTQ: UInt { 0x40047473 }
public func openpty(
    _ a: UnsafeMutablePointer<Int32>!, _ b: UnsafeMutablePointer<Int32>!, _ c: UnsafeMutablePointer<CChar>!,
    _ d: UnsafeMutablePointer<termios>!, _ e: UnsafeMutablePointer<winsize>!
) -> Int32 { 0 }  // util.h
