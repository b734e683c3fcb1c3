// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// The keys of people, held against the log: a ledger is not served without the keys that its events were sealed with.
///
/// Words sealed under keys that a lost file's successor holds would be lost in their turn, as soon as the right file is put
/// back; and whoever was known before could say nothing.
extension Ledger {
    /// How many entries are looked at behind the beginning, and how many before the end.
    ///
    /// A file that is empty or another's lacks the first people, one of an earlier day the newest; `daybook verify` looks at
    /// everybody.
    static let entriesLookedAt: (first: UInt64, newest: UInt64) = (1_000, 10_000)

    /// Opens the keys of a folder; makes the file only where nothing was recorded yet.
    ///
    /// An imported log came without keys, and a new origin vouches for nothing that it found: neither expects any.
    ///
    /// - Throws: ``StartError/keysLost(_:reason:)`` when the log has entries and the file is gone or empty,
    ///   ``StartError/served(_:)``; `SealingError`.
    static func openKeys(
        in folder: LedgerFolder,
        _ masterKey: MasterKey,
        _ signing: SigningIdentity
    ) throws -> KeyStore {
        let file = folder.personKeys
        if signing.doubt == nil, !KeyStore.exists(at: file),
            try entryCount(in: folder) > signing.key.begun
        {
            throw StartError.keysLost(file.path, reason: "is missing or empty")
        }
        do throws(SealingError) {
            return try KeyStore.open(at: file, masterKey: masterKey)
        } catch .inUse {
            // They are held for as long as the folder is served, or a command at the console changes it.
            throw StartError.served(folder.root.path)
        }
    }

    /// Refuses keys that lack somebody whose sealed words the log has, unless the person was erased.
    ///
    /// - Parameters:
    ///   - keys: What was opened.
    ///   - size: How many entries the log has.
    ///   - begun: How many entries the origin found and does not vouch for.
    ///   - erased: Whom the log calls erased.
    ///   - page: Reads the log from a position on, at most so many entries, past what cannot be read: of that nobody knows whose it is.
    /// - Returns: What could not be read.
    /// - Throws: ``StartError/keysLost(_:reason:)``; what reading throws.
    @discardableResult
    static func checkKeys(
        _ keys: KeyStore,
        againstEntries size: UInt64,
        begun: UInt64,
        erased: Set<PersonID>,
        page: (_ from: LogPosition, _ limit: Int) throws -> ReadableRun
    ) throws -> [UnreadableEntries] {
        var unreadable: [UnreadableEntries] = []
        let first = begun + entriesLookedAt.first
        let newest = size - min(size, entriesLookedAt.newest)
        let ranges = [begun..<max(begun, min(size, first)), min(size, max(newest, first))..<size]
        for range in ranges where !range.isEmpty {
            var next = range.lowerBound
            while next < range.upperBound {
                let limit = min(LogLimits.pageEntriesDefault, Int(range.upperBound - next))
                let run = try page(LogPosition(next), limit)
                for gap in run.unreadable { unreadable.note(gap) }
                for entry in run.entries {
                    let people = entry.sealedPersons.subtracting(erased)
                    guard let stranger = people.first(where: { !keys.knows($0) }) else { continue }
                    throw StartError.keysLost(
                        keys.path,
                        reason:
                            "has no key for person \(stranger), whose words stand at position \(entry.envelope.position)"
                    )
                }
                next = run.next
            }
        }
        return unreadable
    }

    private static func entryCount(in folder: LedgerFolder) throws -> UInt64 {
        let file = folder.root.appending(path: "log/data.mdb")
        guard FileManager.default.fileExists(atPath: file.path) else { return 0 }
        let reader = try LedgerReader.open(folder.root, usingIndex: false)
        defer { reader.close() }
        return try reader.size()
    }
}
