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

    public init(
        actor: Actor,
        command: CommandID,
        organisation: OrganisationID = .main,
        correlation: String? = nil
    ) {
        self.actor = actor
        self.command = command
        self.organisation = organisation
        self.correlation = correlation
    }
}
