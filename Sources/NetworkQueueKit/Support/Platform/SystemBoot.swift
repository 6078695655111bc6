import Foundation

/// The current boot of the system.
enum SystemBoot {
    /// An identifier that is unique to this boot; `nil` if the system does not give one.
    static var id: String? {
        #if os(Linux)
            let id = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
            return id?.split(whereSeparator: \.isWhitespace).first.map(String.init)
        #else
            var buffer = [CChar](repeating: 0, count: 64)
            var size = buffer.count - 1
            guard sysctlbyname("kern.bootsessionuuid", &buffer, &size, nil, 0) == 0 else { return nil }
            return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        #endif
    }
}
