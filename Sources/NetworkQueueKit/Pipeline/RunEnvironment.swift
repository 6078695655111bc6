/// What an operation finds where it runs.
struct RunEnvironment: Sendable {
    var transport: any Transport
    var validation: ResponseValidation
    var retryPolicy: RetryPolicy
    var timekeeper: any Timekeeper
}
