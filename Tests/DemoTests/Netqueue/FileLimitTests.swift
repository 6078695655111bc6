import Foundation
import Testing

@testable import netqueue

struct FileLimitTests {
    private func limits(_ soft: rlim_t, _ hard: rlim_t) -> rlimit { rlimit(rlim_cur: soft, rlim_max: hard) }

    @Test func `A limit is raised to what the system takes`() {
        #expect(FileLimit.raised(limits(256, .max), ceiling: 10_240) == 10_240)
        #expect(FileLimit.raised(limits(256, 4096), ceiling: 10_240) == 4096)
        #expect(FileLimit.raised(limits(1024, 4096), ceiling: .max) == 4096)
    }

    @Test func `A limit is never lowered`() {
        #expect(FileLimit.raised(limits(20_000, .max), ceiling: 10_240) == nil)
        #expect(FileLimit.raised(limits(4096, 4096), ceiling: .max) == nil)
    }
}
