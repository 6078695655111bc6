import Foundation

/// What the requests of a run need, and what their files and volumes say about it.
package struct PlanSurvey: Sendable {
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

    package private(set) var plan = NetworkQueue.Plan()
    private var needs: [Need] = []
    private var volumeOfDevice: [UInt64: Int] = [:]
    private var volumeOfFolder: [ByteText: Int?] = [:]

    /// Creates an empty survey.
    package init() {}

    init(_ entries: [Entry]) {
        for entry in entries {
            let (request, head) = (entry.operation.request, entry.operation.sizedHead)
            guard let need = look(request, size: entry.size, head: head, isCurrent: nil).need else { continue }
            needs.append(Need(operation: entry.operation, volume: need.volume, bytes: need.bytes))
        }
        let sized = entries.filter { $0.size != nil && $0.operation.request.method == "GET" }
        plan.largest = sized.sorted { ($0.size ?? 0) > ($1.size ?? 0) }.prefix(10).map(\.operation)
    }

    /// Adds a request, and returns what it finds at its destination; `nil` unless that is a file.
    ///
    /// - Parameters:
    ///   - size: The size of the download, if it is known.
    ///   - head: The head of the whole content, if it is known.
    ///   - isCurrent: Whether an existing file is current, if that is known from elsewhere.
    package mutating func add(
        _ request: NetworkRequest, size: Int64?, head: ResponseHead?, isCurrent: Bool?
    ) -> DownloadPreview? {
        look(request, size: size, head: head, isCurrent: isCurrent).preview
    }

    /// Makes up to three system calls for a download into a file, and two for each new volume.
    private mutating func look(
        _ request: NetworkRequest, size: Int64?, head: ResponseHead?, isCurrent: Bool?
    ) -> (preview: DownloadPreview?, need: (volume: Int, bytes: Int64)?) {
        plan.requestCount += 1
        if !request.lacksURL { plan.requestCounts[request.url.host()?.lowercased() ?? "", default: 0] += 1 }
        guard request.method == "GET", !request.hasBody else { return (nil, nil) }
        if let size {
            plan.knownBytes = plan.knownBytes.addingSaturated(size)
        } else {
            plan.unknownSizeCount += 1
        }
        guard let preview = DownloadPreview(request, head, isCurrent: isCurrent) else { return (nil, nil) }
        if preview.isUnverified { plan.unverifiedCount += 1 }
        guard !preview.isUnverified, let size else { return (preview, nil) }
        let present = preview.presentBytes(of: size)
        plan.presentBytes = plan.presentBytes.addingSaturated(present)
        let folder = ByteText(preview.folder)
        let volume = volumeOfFolder[folder] ?? volume(of: preview.folder)
        volumeOfFolder[folder] = .some(volume)
        guard let volume else { return (preview, nil) }
        plan.volumes[volume].neededBytes = plan.volumes[volume].neededBytes.addingSaturated(size - present)
        return (preview, (volume, size - present))
    }

    /// The number of the volume of a folder, or of its closest parent that exists; `nil` if none is found.
    private mutating func volume(of folder: String) -> Int? {
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
            var volume = plan.volumes[need.volume]
            volume.neededBytes = needed[need.volume]
            return volume.isTooSmall ? (need.operation, .insufficientSpace(on: volume)) : nil
        }
    }
}

extension NetworkQueue.Plan.Volume {
    /// Whether the downloads do not fit; `false` if the volume does not tell its size.
    package var isTooSmall: Bool { freeBytes.map { neededBytes > $0 } ?? false }
}

extension NetworkError {
    /// The error of downloads that do not fit on a volume.
    static func insufficientSpace(on volume: NetworkQueue.Plan.Volume) -> NetworkError {
        var error = NetworkError(.insufficientSpace)
        error.space = (volume.neededBytes, volume.freeBytes ?? 0, volume.path)
        return error
    }
}
