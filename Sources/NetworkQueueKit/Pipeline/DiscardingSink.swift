import Foundation

/// Throws content away.
final class DiscardingSink: BodySink {
    func write(_ bytes: UnsafeRawBufferPointer) {}
    func finish() -> (data: Data?, fileURL: URL?) { (nil, nil) }
    func abandon() {}
}
