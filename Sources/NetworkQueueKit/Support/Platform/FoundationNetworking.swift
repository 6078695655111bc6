// Foundation on Linux keeps `URLRequest`, `URLSession` and `URLError` in a module of its own: with this re-export,
// `import Foundation` suffices in the library, and `import NetworkQueueKit` in code that uses it.
#if canImport(FoundationNetworking)
    @_exported import FoundationNetworking
#endif
