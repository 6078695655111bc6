import Foundation

extension UnsafeMutablePointer<pthread_mutex_t> {
    /// Makes a mutex of the memory, which must not move from then on.
    func initializeAdaptive() {
        #if canImport(Glibc)
            // What is done under a lock here is short: to look again for a moment is cheaper than to sleep.
            //
            // PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP, which Swift does not import: to have it made by functions costs as
            // much as to take it three times, and every request has two.
            var mutex = pthread_mutex_t()
            mutex.__data.__kind = CInt(PTHREAD_MUTEX_ADAPTIVE_NP)
            initialize(to: mutex)
        #else
            pthread_mutex_init(self, nil)
        #endif
    }
}
