/// The state that the server's threads share, under one lock.
struct ServerState {
    var routes: Routes
    var log: RequestLog
    var connections: ConnectionTable
    var observers = Observers<LoopbackServer.Counters>()
    var requestCount = 0
    var malformedRequestCount = 0
    /// The number of upcoming connections to close as soon as they are accepted.
    var dueHangUps = 0
    var isStopped = false

    var counters: LoopbackServer.Counters {
        LoopbackServer.Counters(
            requests: requestCount,
            malformedRequests: malformedRequestCount,
            connections: connections.accepted,
            openConnections: connections.open,
            closingConnections: connections.beingClosed,
            peakOpenConnections: connections.peakOpen,
            concurrentRequests: connections.answering,
            peakConcurrentRequests: connections.peakAnswering)
    }
}
