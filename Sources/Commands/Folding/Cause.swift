// SPDX-License-Identifier: Apache-2.0
public import Events

/// The event for which something becomes due: what a policy says of it, it takes from here and not from a read model.
public struct Cause: Hashable, Sendable {
    public let event: EventID
    public let organisation: OrganisationID
    public let position: LogPosition
    public let time: Timestamp

    init(_ envelope: Envelope) {
        event = envelope.id
        organisation = envelope.organisation
        position = envelope.position
        time = envelope.time
    }
}
