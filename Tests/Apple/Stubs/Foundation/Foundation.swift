// Apple's Foundation as far as the package uses it, declared as Apple's documentation does. Bodies are of no meaning: nothing
// is run.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
@_exported import Darwin
@_exported import Dispatch
@_exported import ObjectiveC
@_exported import Swift
@_exported import _Concurrency

func stub() -> Never { fatalError() }
public typealias TimeInterval = Double
