import Foundation

extension UnsafeMutablePointer<pthread_mutex_t> {
    /// Initializes the memory as a mutex. It must not move from then on.
    func initializeAdaptive() {
        #if canImport(Glibc)
            // The work under a lock is short here: to spin for a moment is cheaper than to sleep.
            //
            // The value is `PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP`, which Swift does not import. Initializing it with
            // functions would cost as much as taking the lock three times, and every request has two.
            var mutex = pthread_mutex_t()
            mutex.__data.__kind = CInt(PTHREAD_MUTEX_ADAPTIVE_NP)
            initialize(to: mutex)
        #else
            pthread_mutex_init(self, nil)
        #endif
    }
}
