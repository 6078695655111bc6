import NetworkQueueKit

/// Is told of everything and does nothing: what telling costs.
struct IdleMonitor: QueueMonitor {}
