// Foundation on Linux has `URLRequest`, `URLSession` and `URLError` in a separate module. With this re-export
// `import Foundation` suffices in the library, and `import NetworkQueueKit` in code that uses it.
#if canImport(FoundationNetworking)
    @_exported import FoundationNetworking
#endif
