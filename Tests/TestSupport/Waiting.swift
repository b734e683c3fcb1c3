// SPDX-License-Identifier: Apache-2.0
public import Testing

extension Duration {
    /// The longest that a test waits for anything: the one deadline of all of them.
    ///
    /// Ten times what the slowest wait takes on a busy machine; only a fault of the program uses it up.
    public static let testDeadline = Duration.seconds(60)
}

/// Waits until a condition holds that nothing announces.
///
/// Looks every 5 ms, and leaves the processor to others meanwhile. Where the program offers the event itself, as a stream or
/// an answer, await that instead.
///
/// - Parameters:
///   - what: The condition in words, for the report.
///   - sourceLocation: Where the test waits.
///   - holds: The condition.
/// - Throws: After ``Swift/Duration/testDeadline``, with an issue that names the condition; else what the condition throws.
public func eventually(
    _ what: String,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ holds: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + .testDeadline
    while try await !holds() {
        try #require(
            ContinuousClock.now < end,
            "waited \(Duration.testDeadline) in vain: \(what)",
            sourceLocation: sourceLocation
        )
        try await Task.sleep(for: .milliseconds(5))
    }
}
