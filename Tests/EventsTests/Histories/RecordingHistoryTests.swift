// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Foundation
import TestSupport
import Testing

@Suite struct `A history recorded in a log` {
    /// Promises 2 and 7: every entry is canonical and decodes, and one destroyed key erases one person.
    @Test(.timeLimit(.minutes(10)))
    func `comes back whole, and a destroyed key erases one person only`() async throws {
        let folder = try TemporaryFolder()
        let keys = try KeyStore.open(at: folder.url.appending(path: "keys"), masterKey: .random())
        let clock = TestClock()
        let log = try EventLog.open(
            folder.url,
            configuration: LogConfiguration(
                origin: "daybook.example.org/test",
                keys: keys,
                clock: clock.ledgerClock,
                mapBytes: 1 << 26,
                freeBytesMin: 0
            )
        )
        var history = PlausibleHistory(seed: SeededGenerator.environmentSeed, events: 400)
        let count = try await history.record(in: log, keys: keys, clock: clock)
        #expect(log.size == UInt64(count))

        let entries = try log.entries(from: LogPosition(0), limit: count)
        #expect(entries.count == count)
        var names: [PersonID: Sealed<String>] = [:]
        for entry in entries {
            try CanonicalJSON.check(entry.bytes)
            if case .user(.created(let created)) = try EventDecoder().decode(entry).fact {
                names[created.person] = created.name
            }
        }
        #expect(names.count > 20)
        let erased = try #require(names.keys.first)
        try keys.destroy(erased)
        for (person, name) in names {
            #expect((try name.opened(with: keys).value == nil) == (person == erased))
        }
        await log.close()
    }
}
