// XCTest, which one file of the tests uses.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
@_exported import Foundation
open class XCTestCase: NSObject {
    open class func setUp() {}
    open func setUp() {}
    open func tearDown() {}
}
public func XCTAssertTrue(
    _ e: @autoclosure () throws -> Bool, _ m: @autoclosure () -> String = "", file: StaticString = #filePath,
    line: UInt = #line
) {}
public func XCTAssertEqual<T: Equatable>(
    _ a: @autoclosure () throws -> T, _ b: @autoclosure () throws -> T, _ m: @autoclosure () -> String = "",
    file: StaticString = #filePath, line: UInt = #line
) {}
public func XCTAssertFalse(
    _ e: @autoclosure () throws -> Bool, _ m: @autoclosure () -> String = "", file: StaticString = #filePath,
    line: UInt = #line
) {}
public func XCTAssertNil(
    _ e: @autoclosure () throws -> Any?, _ m: @autoclosure () -> String = "", file: StaticString = #filePath,
    line: UInt = #line
) {}
public func XCTFail(_ m: String = "", file: StaticString = #filePath, line: UInt = #line) {}
open class XCTestExpectation: NSObject, @unchecked Sendable { open func fulfill() {} }
extension XCTestCase {
    public func expectation(description: String) -> XCTestExpectation { XCTestExpectation() }
    public func wait(for: [XCTestExpectation], timeout: Double) {}
}
