import Foundation

/// What the first argument may ask for beside a scenario.
enum SubCommand: String {
    case wan
    /// What the benchmark starts in processes of their own; not for people.
    case relay = "line-relay"
    case guardian = "nginx-guardian"
    case task = "download-task"

    /// Returns the exit status.
    func run(_ arguments: [String]) async throws -> Int32 {
        switch self {
        case .wan: return try WanCommand(WanOptions(arguments)).run() ? 0 : 1
        case .relay: return try Line.relay(arguments)
        case .guardian: return try NginxGuardian.run(arguments)
        case .task:
            guard let task = arguments.first else { throw BenchmarkFailure("no task") }
            let result = try await JSONDecoder().decode(DownloadTask.self, from: Data(task.utf8)).run()
            Output(isJSON: true).json(result)
            return 0
        }
    }
}
