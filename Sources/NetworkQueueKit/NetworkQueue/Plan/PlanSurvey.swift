import Foundation

/// What the requests of a run need, and what their files and volumes say about it.
struct PlanSurvey: Sendable {
    /// A request with the size of its download as far as it is known.
    struct Entry: Sendable {
        let operation: RequestOperation
        let size: Int64?
    }

    /// A download of known size that needs space on a volume.
    private struct Need: Sendable {
        let operation: RequestOperation
        let volume: Int
        let bytes: Int64
    }

    private(set) var plan = NetworkQueue.Plan()
    private var needs: [Need] = []

    /// Makes up to three system calls for each download into a file, and two for each volume.
    init(_ entries: [Entry]) {
        plan.requestCount = entries.count
        var volumeOfDevice: [UInt64: Int] = [:]
        var volumeOfFolder: [ByteText: Int?] = [:]
        for entry in entries {
            let request = entry.operation.request
            if !request.lacksURL { plan.requestCounts[request.url.host()?.lowercased() ?? "", default: 0] += 1 }
            guard request.method == "GET", !request.hasBody else { continue }
            if let size = entry.size { plan.knownBytes += size } else { plan.unknownSizeCount += 1 }
            guard case .file(let url, let policy, let resumes) = request.destination, let names = try? PartNames(url)
            else { continue }
            let file = ExistingFile(names)
            if file != nil, request.expectedChecksum != nil {
                plan.unverifiedCount += 1
                continue
            }
            guard let size = entry.size else { continue }
            var present: Int64 = 0
            if case .keepIfCurrent = policy, request.mayKeepFile, let file, let head = entry.operation.sizedHead,
                file.comparison(with: head, isWhole: true) == .same
            {
                present = size
            } else if resumes {
                present = min(POSIXFile.filledSize(names.part) ?? 0, size)
            }
            plan.presentBytes += present
            let folder = ByteText(names.folder)
            let volume = volumeOfFolder[folder] ?? volume(of: names.folder, &volumeOfDevice)
            volumeOfFolder[folder] = .some(volume)
            guard let volume else { continue }
            plan.volumes[volume].neededBytes += size - present
            needs.append(Need(operation: entry.operation, volume: volume, bytes: size - present))
        }
        let sized = entries.filter { $0.size != nil && $0.operation.request.method == "GET" }
        plan.largest = sized.sorted { ($0.size ?? 0) > ($1.size ?? 0) }.prefix(10).map(\.operation)
    }

    /// The number of the volume of a folder, or of its closest parent that exists; `nil` if none is found.
    private mutating func volume(of folder: String, _ volumeOfDevice: inout [UInt64: Int]) -> Int? {
        var path = folder
        while true {
            if let found = POSIXFile.status(path) {
                let device = UInt64(truncatingIfNeeded: found.st_dev)
                if let volume = volumeOfDevice[device] { return volume }
                plan.volumes.append(
                    NetworkQueue.Plan.Volume(path: path, neededBytes: 0, freeBytes: POSIXFile.freeBytes(path)))
                volumeOfDevice[device] = plan.volumes.count - 1
                return plan.volumes.count - 1
            }
            guard let slash = path.utf8.dropLast().lastIndex(of: UInt8(ascii: "/")) else { return nil }
            path = String(Substring(path.utf8[...slash]))
        }
    }

    /// The downloads that do not fit, without those that are left out, each with the error.
    func misfits(without leftOut: Set<RequestID>) -> [(operation: RequestOperation, error: NetworkError)] {
        let wanted = needs.filter { !leftOut.contains($0.operation.id) }
        var needed = [Int64](repeating: 0, count: plan.volumes.count)
        for need in wanted { needed[need.volume] = needed[need.volume].addingSaturated(need.bytes) }
        return wanted.compactMap { need in
            let volume = plan.volumes[need.volume]
            guard let free = volume.freeBytes, needed[need.volume] > free else { return nil }
            var error = NetworkError(.insufficientSpace)
            error.space = (needed[need.volume], free, volume.path)
            return (need.operation, error)
        }
    }
}
