// SPDX-License-Identifier: Apache-2.0
import Synchronization

extension LogIndex {
    /// The layout of the tables that this program writes and reads; an index of another one is foreign.
    static let format: UInt64 = 2

    /// What the links of each kind's golden sample come to; a kind without links has no line.
    ///
    /// A test makes them again and names the line that a changed link needs. An index that was made before the change is
    /// then foreign; otherwise it would go on without the link, and conditions rest on it.
    static let linkDigests: [Kind: UInt32] = [
        "access.read/1": 0xA338_45C4,
        "access.refused/1": 0x56CE_22F0,
        "alert.queued/1": 0xBA6C_9C12,
        "device.admitted/1": 0x0CD6_861B,
        "device.code_issued/1": 0x48C9_1F7E,
        "device.registered/1": 0xF870_BC77,
        "device.revoked/1": 0x4E9A_9387,
        "hold.placed/1": 0xE471_8D00,
        "incident.merged/1": 0xEABD_E83D,
        "incident.session_linked/1": 0x2746_90B7,
        "incident.session_unlinked/1": 0x41A2_ADB9,
        "incident.unmerged/1": 0x19A3_A4BE,
        "patrol.check_in_refused/1": 0x8DCF_E133,
        "patrol.checked_in/1": 0x66FC_DF25,
        "push.expired/1": 0xB4C8_5810,
        "push.subscribed/1": 0x256A_02A5,
        "push.unsubscribed/1": 0x0A9F_DB4F,
        "report.submitted/1": 0x6694_46EF,
        "session.claimed/1": 0x513E_4AFB,
        "session.closed/1": 0x6652_112F,
        "session.created/1": 0xE0F0_4803,
        "session.expired/1": 0x84C1_6F71,
        "session.link_accepted/1": 0x2C99_EA67,
        "session.link_opened/1": 0x7057_10B6,
        "session.released/1": 0x4C09_22B9,
        "session.transferred/1": 0x076A_1B26,
        "stream.started/1": 0x0872_A4A3,
        "stream.stopped/1": 0xAE2E_937F,
        "user.created/1": 0x8487_693D,
    ]

    /// Four bytes that stand for the links of one event.
    static func digest(of links: [SubjectLink]) -> UInt32 {
        let lines = links.map { "\($0.role.rawValue) \($0.subject)" }.sorted()
        return MerkleHash.leaf(Array(lines.joined(separator: "\n").utf8)).withUnsafeBytes {
            UInt32(bigEndian: $0.loadUnaligned(as: UInt32.self))
        }
    }

    /// What an index says about the links that it was made with: a line for each kind that was known.
    static let links: String = EventCatalog.current.rows
        .map { "\($0.kind) \(linkDigests[$0.kind] ?? 0)\n" }.sorted().joined()

    /// Whether an index that says so was made with the links that every kind has now.
    ///
    /// A kind that it did not know cannot stand in its log, so new kinds make no index foreign.
    static func areCurrent(_ links: String) -> Bool {
        let current = Set(Self.links.split(separator: "\n"))
        return links.split(separator: "\n").allSatisfy(current.contains)
    }

    /// What this index says about its links; `nil` before it says so.
    func storedLinks() throws -> String? {
        try environment.read { transaction throws(LMDBError) in
            try withText("links") { key throws(LMDBError) in
                try transaction.get(tables.progress, key).map {
                    String(decoding: $0, as: UTF8.self)
                }
            }
        }
    }

    /// Makes the index say that its links are those of today, if it does not yet.
    func recordLinks() throws {
        guard try storedLinks() != Self.links else { return }
        let transaction = try environment.beginWrite()
        do throws(LMDBError) {
            try withText("links") { key throws(LMDBError) in
                try withText(Self.links) { value throws(LMDBError) in
                    try transaction.put(tables.progress, key, value)
                }
            }
            try seal(rows.withLock { $0 }, transaction)
        } catch {
            transaction.abort()
            throw error
        }
        try transaction.commit()
    }
}
