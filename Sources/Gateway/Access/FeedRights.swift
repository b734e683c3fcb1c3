// SPDX-License-Identifier: Apache-2.0
import Commands
import Events

/// Which entries of the log somebody may read as they stand: for feeds and single entries.
///
/// What is personal in an entry is sealed; still an entry of a private session is private.
struct FeedRights: Sendable {
    let reader: Principal
    let rights: ReadingRights

    /// Whether a feed shows an entry to its reader, by what is so now.
    ///
    /// - Throws: When the log cannot be read.
    func admits(_ entry: Entry) throws -> Bool {
        try ReadingRights.holds { try check(entry) }
    }

    /// Lets the reader have an entry, or throws why not.
    func check(_ entry: Entry) throws {
        let envelope = entry.envelope
        let subject = envelope.subject
        guard reader.seesAllOrganisations || envelope.organisation == reader.organisation else {
            throw ReadingRights.Refusal.unknown(subject)
        }
        switch subject.category {
        case "session", "stream", "incident": try rights.check(contents: subject, for: reader)
        case "alert":
            try requireDesk(subject)
            try rights.check(contents: subject, for: reader)
        case "report", "patrol_point", "device", "policy", "clock":
            try requireDesk(subject)
        default:
            // Who reads what, who is erased or held, who works here: for those who supervise.
            guard reader.role.reach == .everything else {
                throw ReadingRights.Refusal.role(subject)
            }
        }
    }

    private func requireDesk(_ subject: Subject) throws {
        guard [.desk, .everything].contains(reader.role.reach) else {
            throw ReadingRights.Refusal.role(subject)
        }
    }
}
