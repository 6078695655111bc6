import NetworkQueueKit

/// A value guarded by a lock.
typealias Locked = Guarded
