// SPDX-License-Identifier: Apache-2.0
public import Events

/// Why a command was neither done nor refused; none of these says anything about its content.
public enum CommandFault: Error, Hashable, Sendable {
    /// Too many commands wait for their turn on the subject.
    case busy(Subject, waiting: Int)
    /// What the decision read changed each time before it could be recorded.
    case contended(Subject, attempts: Int)
    /// The id belongs to another command: of another type, or one that asked something else.
    case idReused(CommandID)
    /// The caller decided at a revision that is not the subject's last one; `nil` if it has no event.
    case stale(SeenRevision, actual: Revision?)
    /// Its events would be of one organisation, and stand on a thing that another one has.
    case otherOrganisation(Subject)
    /// The actor has written more than one of its kind may; the ledger was told once.
    case overBudget(Actor, wait: Duration)
}

extension CommandFault: CustomStringConvertible {
    /// The attempt, the fact and the way out.
    public var description: String {
        switch self {
        case .busy(let subject, let waiting):
            "a command on \(subject) was not taken: \(waiting) wait already; repeat it a little later"
        case .contended(let subject, let attempts):
            "a command on \(subject) was given up: what it read changed \(attempts) times before "
                + "it could be recorded; repeat it with the same id"
        case .idReused(let id):
            "command \(id) was not taken: that id belongs to another command; use a fresh one"
        case .stale(let seen, let actual):
            "a command on \(seen.subject) was not taken: it was decided at revision "
                + "\(seen.revision), the subject is at "
                + "\(actual.map { "revision \($0)" } ?? "no event"); load it and decide again"
        case .otherOrganisation(let subject):
            "a command was not taken: it would write on \(subject), which another organisation has, "
                + "what is not that one's; do it for each organisation by itself"
        case .overBudget(let actor, let wait):
            "a command of \(actor) was not taken: so much was recorded for it that it must wait "
                + "\(wait.components.seconds + 1) s; repeat it then, with the same id"
        }
    }
}
