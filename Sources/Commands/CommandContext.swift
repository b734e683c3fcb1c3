// SPDX-License-Identifier: Apache-2.0
public import Events

/// What comes with every command: who asks, when, and the chance that its new ids are made of.
///
/// The gateway reads clock and chance once. Deciding again starts from a copy, so the ids are the same.
public struct CommandContext: Sendable {
    /// Who asks, and what makes a repetition the same command.
    public internal(set) var stamp: CommandStamp
    /// The clock of the decision.
    public let now: Timestamp
    /// When the device claims that it happened; never orders.
    public let occurredAt: Timestamp?
    /// The event that caused the command, when a policy asks.
    public let causation: EventID?
    /// What the caller had seen when it asked; `nil` asks whatever came meanwhile.
    public let seen: SeenRevision?
    /// People of whom the log may hear for the first time now: each gets a key once it is decided that something is recorded,
    /// so that a refused command leaves none.
    public var newcomers: [PersonID] = []
    /// In whose budget the events count; `nil` for that of whoever asks.
    public var payer: Actor?
    /// Throws where whoever asks may not; `nil` where the command itself decides that.
    ///
    /// It is asked each time that the command is decided, and what it reads is a condition of the append as what the command reads.
    public var right: (@Sendable (DecidedStates) throws -> Void)?
    private var ids: IdentifierSource

    public init(
        _ stamp: CommandStamp,
        now: Timestamp,
        occurredAt: Timestamp? = nil,
        causation: EventID? = nil,
        seen: SeenRevision? = nil,
        using generator: inout some RandomNumberGenerator
    ) {
        self.stamp = stamp
        self.now = now
        self.occurredAt = occurredAt
        self.causation = causation
        self.seen = seen
        ids = IdentifierSource(using: &generator)
    }

    /// The organisation that will own the events.
    public var organisation: OrganisationID { stamp.organisation }

    /// Names a new thing.
    public mutating func newID<Named>() -> Identifier<Named> {
        Identifier(at: now, using: &ids)
    }
}
