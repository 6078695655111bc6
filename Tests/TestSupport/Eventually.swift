/// Whether a condition comes to hold; for what nothing announces, such as the end of an object's life.
///
/// It asks again and again, giving way to other tasks, and gives up after 20 s.
package func eventually(_ condition: () -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(20)
    while !condition() {
        guard ContinuousClock.now < deadline else { return false }
        await Task.yield()
    }
    return true
}
