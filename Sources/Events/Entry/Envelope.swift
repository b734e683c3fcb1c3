// SPDX-License-Identifier: Apache-2.0
/// Everything that an entry says beside its `data`.
public struct Envelope: Hashable, Sendable {
    public let id: EventID
    public let subject: Subject
    public let kind: Kind
    public let position: LogPosition
    public let revision: Revision
    /// When the writer recorded it; never goes back along the log.
    public let time: Timestamp
    /// When the device claims that it happened.
    public let occurredAt: Timestamp?
    public let organisation: OrganisationID
    public let actor: Actor
    public let command: CommandID
    /// By what a repetition of the command is known; `nil` where nobody said what was asked.
    public let commandHash: CommandHash?
    public let correlation: String?
    public let causation: EventID?
    /// The ledger's origin.
    public let source: String

    public init(
        id: EventID,
        subject: Subject,
        kind: Kind,
        position: LogPosition,
        revision: Revision,
        time: Timestamp,
        occurredAt: Timestamp? = nil,
        organisation: OrganisationID = .main,
        actor: Actor,
        command: CommandID,
        commandHash: CommandHash? = nil,
        correlation: String? = nil,
        causation: EventID? = nil,
        source: String
    ) {
        self.id = id
        self.subject = subject
        self.kind = kind
        self.position = position
        self.revision = revision
        self.time = time
        self.occurredAt = occurredAt
        self.organisation = organisation
        self.actor = actor
        self.command = command
        self.commandHash = commandHash
        self.correlation = correlation
        self.causation = causation
        self.source = source
    }
}
