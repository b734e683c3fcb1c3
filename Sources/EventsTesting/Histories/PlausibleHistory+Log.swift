// SPDX-License-Identifier: Apache-2.0
public import Events

extension PlausibleHistory {
    /// Appends the rest of the history to a log, one command after another.
    ///
    /// - Parameters:
    ///   - log: Where it goes.
    ///   - keys: Gets a key for each new person first; `nil` if the log's keys need none, such as ``SeededKeys``.
    ///   - clock: Moved to the time of each command, if the log goes by it.
    /// - Returns: How many events were appended.
    /// - Throws: What the key store or the log throws; what was appended before stays.
    @discardableResult
    public mutating func record(
        in log: EventLog,
        keys: KeyStore? = nil,
        clock: TestClock? = nil
    ) async throws -> Int {
        var count = 0
        while let append = next() {
            try keys?.create(append.newPeople)
            clock?.advance(to: append.time)
            let receipt = try await log.append(append.writes, command: append.stamp)
            count += receipt.count
        }
        return count
    }
}
