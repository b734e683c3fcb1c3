// SPDX-License-Identifier: Apache-2.0
import Events
import Synchronization

/// Which organisation has which thing: the one of its first event, for good; of a person, of the first that names the person.
///
/// Remembers what it read, for that cannot change.
final class Owners: Sendable {
    private let log: EventLog
    private let known = Mutex<[Subject: OrganisationID]>([:])

    init(_ log: EventLog) {
        self.log = log
    }

    /// The organisation that has a thing; `nil` if it has no event.
    func organisation(of subject: Subject) throws(EventLogError) -> OrganisationID? {
        if let known = known.withLock({ $0[subject] }) { return known }
        guard let first = try first(of: subject) else { return nil }
        let organisation = first.envelope.organisation
        known.withLock { known in
            // A full table simply forgets them.
            if known.count >= CommandLimits.ownersMax { known.removeAll() }
            known[subject] = organisation
        }
        return organisation
    }

    /// A person is heard of before anything stands on the person's own subject, and moves nowhere.
    private func first(of subject: Subject) throws(EventLogError) -> Entry? {
        guard subject.category == "person" else {
            return try log.entries(of: subject, limit: 1).first
        }
        return try log.entries(linkedTo: subject, from: LogPosition(0), limit: 1).first
    }

    /// Refuses writes of an organisation on what another one has.
    ///
    /// What actors read is written once for each actor and may be of several organisations.
    ///
    /// - Throws: ``CommandFault/otherOrganisation(_:)``; what the log throws.
    func check(_ writes: [Write], _ organisation: OrganisationID) throws {
        for subject in Set(writes.map(\.subject)) where subject.category != "access" {
            let owner = try self.organisation(of: subject) ?? organisation
            guard owner == organisation else { throw CommandFault.otherOrganisation(subject) }
        }
    }
}
