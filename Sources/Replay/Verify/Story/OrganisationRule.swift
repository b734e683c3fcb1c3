// SPDX-License-Identifier: Apache-2.0
import Events

/// Whether what stands on one thing is one organisation's: that of its first event.
///
/// Only the lists of what an actor read, and was refused, may be of several: each entry is of those whose data it was.
struct OrganisationRule {
    private var owners: [Subject: OrganisationID] = [:]

    /// Takes the place of an event.
    ///
    /// - Returns: Whether it is of the organisation that has the thing.
    mutating func fits(_ envelope: Envelope) -> Bool {
        guard envelope.subject.category != "access" else { return true }
        if let owner = owners[envelope.subject] { return owner == envelope.organisation }
        owners[envelope.subject] = envelope.organisation
        return true
    }
}
