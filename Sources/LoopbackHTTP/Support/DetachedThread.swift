#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Detached threads with small stacks, so that hundreds are cheap.
enum DetachedThread {
    /// Enough for a script's handler that encodes JSON in a debug build; only touched pages cost memory.
    private static let stackSize = 512 << 10

    /// The calling thread's identity, unique among living threads.
    static var current: UInt {
        #if canImport(Glibc)
            return pthread_self()
        #else
            return UInt(bitPattern: pthread_self())
        #endif
    }

    /// Runs `body` on a new thread; returns false if the system cannot create one.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, stackSize)
        let context = Unmanaged.passRetained(Body(run: body))
        #if canImport(Glibc)
            var thread = pthread_t()
        #else
            var thread: pthread_t?
        #endif
        let result = pthread_create(&thread, &attributes, enter, context.toOpaque())
        if result != 0 { context.release() }
        return result == 0
    }

    #if canImport(Glibc)
        private static let enter: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
            if let context { run(context) }
            return nil
        }
    #else
        private static let enter: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { context in
            run(context)
            return nil
        }
    #endif

    private static func run(_ context: UnsafeMutableRawPointer) {
        Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
