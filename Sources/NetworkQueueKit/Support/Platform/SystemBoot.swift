import Foundation

/// This run of the system, from its start to its end.
enum SystemBoot {
    /// What tells it from all others; `nil` if the system does not say.
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
