// `Date`, the calendar, and how they are written.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Darwin
import Dispatch
import ObjectiveC

public struct Date: Comparable, Hashable, Sendable, Codable, CustomStringConvertible {
    public init() {}
    public init(timeIntervalSinceNow: TimeInterval) {}
    public init(timeIntervalSince1970: TimeInterval) {}
    public init(timeIntervalSinceReferenceDate: TimeInterval) {}
    public init(timeInterval: TimeInterval, since: Date) {}
    public static var now: Date { Date() }
    public static let distantPast = Date()
    public static let distantFuture = Date()
    public var timeIntervalSinceNow: TimeInterval { 0 }
    public var timeIntervalSince1970: TimeInterval { 0 }
    public var timeIntervalSinceReferenceDate: TimeInterval { 0 }
    public func timeIntervalSince(_ d: Date) -> TimeInterval { 0 }
    public func addingTimeInterval(_ t: TimeInterval) -> Date { self }
    public mutating func addTimeInterval(_ t: TimeInterval) {}
    public static func + (a: Date, b: TimeInterval) -> Date { a }
    public static func - (a: Date, b: TimeInterval) -> Date { a }
    public static func += (a: inout Date, b: TimeInterval) {}
    public static func < (a: Date, b: Date) -> Bool { false }
    public var description: String { "" }
}
public struct TimeZone: Hashable, Sendable {
    public init?(identifier: String) {}
    public init?(secondsFromGMT: Int) {}
    public init?(abbreviation: String) {}
    public static var gmt: TimeZone { stub() }
    public static var current: TimeZone { gmt }
}
public struct Calendar: Hashable, Sendable {
    public enum Identifier: Sendable { case gregorian, iso8601 }
    public enum Component: Sendable { case year, month, day, hour, minute, second, weekday }
    public init(identifier: Identifier) {}
    public var timeZone: TimeZone {
        get { .gmt }
        set {}
    }
    public static var current: Calendar { stub() }
    public func date(from: DateComponents) -> Date? { nil }
    public func dateComponents(_ c: Set<Component>, from: Date) -> DateComponents { DateComponents() }
}
public struct DateComponents: Hashable, Sendable {
    public init(
        calendar: Calendar? = nil, timeZone: TimeZone? = nil, era: Int? = nil, year: Int? = nil, month: Int? = nil,
        day: Int? = nil, hour: Int? = nil, minute: Int? = nil, second: Int? = nil, nanosecond: Int? = nil,
        weekday: Int? = nil
    ) {}
    public var year: Int?
    public var month: Int?
    public var day: Int?
    public var hour: Int?
    public var minute: Int?
    public var second: Int?
    public var weekday: Int?
    public var date: Date? { nil }
}
public protocol FormatStyle: Sendable {
    associatedtype FormatInput
    associatedtype FormatOutput
    func format(_ value: FormatInput) -> FormatOutput
}
extension Date {
    public struct ISO8601FormatStyle: FormatStyle {
        public init(includingFractionalSeconds: Bool = false, timeZone: TimeZone = .gmt) {}
        public func format(_ value: Date) -> String { "" }
        public func parse(_ value: String) throws -> Date { stub() }
    }
    public func formatted<F: FormatStyle>(_ format: F) -> F.FormatOutput where F.FormatInput == Date { stub() }
    public func ISO8601Format() -> String { "" }
}
