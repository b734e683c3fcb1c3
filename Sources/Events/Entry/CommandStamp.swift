// SPDX-License-Identifier: Apache-2.0
/// Who asks, and what makes a repeated command the same command.
public struct CommandStamp: Hashable, Sendable {
    public let actor: Actor
    /// Unique per actor: the same id gives the same receipt.
    public let command: CommandID
    /// Who owns the events.
    public let organisation: OrganisationID
    /// The incident or request that the events belong to.
    public let correlation: String?
    /// What was asked, for telling a repetition from another command under the same id; `nil` if nobody says.
    ///
    /// A log that signs keeps a hash of it under the ledger's key, for ever, and refuses the id with another one.
    public let asked: SHA256Digest?

    public init(
        actor: Actor,
        command: CommandID,
        organisation: OrganisationID = .main,
        correlation: String? = nil,
        asked: SHA256Digest? = nil
    ) {
        self.actor = actor
        self.command = command
        self.organisation = organisation
        self.correlation = correlation
        self.asked = asked
    }

    /// The same stamp with the events in this organisation.
    public func owned(by organisation: OrganisationID) -> CommandStamp {
        CommandStamp(
            actor: actor,
            command: command,
            organisation: organisation,
            correlation: correlation,
            asked: asked
        )
    }

    /// The same stamp of a command that asks this.
    public func asking(_ asked: SHA256Digest) -> CommandStamp {
        CommandStamp(
            actor: actor,
            command: command,
            organisation: organisation,
            correlation: correlation,
            asked: asked
        )
    }
}
