// SPDX-License-Identifier: Apache-2.0
public import Events

/// The owner sends a caller without the application a one-use link (ruling 24).
///
/// The link itself is a secret of the accounts; the ledger knows its name.
public struct IssueLink: SessionCommand {
    public let session: SessionID
    public let link: LinkID
    public let by: Staff
    public let expiresAt: Timestamp

    public init(_ link: LinkID, to session: SessionID, by: Staff, expiresAt: Timestamp) {
        self.session = session
        self.link = link
        self.by = by
        self.expiresAt = expiresAt
    }

    /// Why there is no link.
    public enum Refusal: CommandRefusal {
        case unavailable(SessionUnavailable)
        case notOwner(NotOwner)
        case withoutNumber(SessionID)

        public var problem: Problem {
            switch self {
            case .unavailable(let why): why.problem(of: "issuing a link")
            case .notOwner(let why): why.problem(of: "issuing a link")
            case .withoutNumber(let session):
                Problem(
                    .conflict,
                    "session-without-number",
                    "issuing a link refused: session \(session) has no telephone number; "
                        + "open one for the caller's number",
                    facts: ["session": "\(session)"]
                )
            }
        }
    }

    public func decide(
        _ state: Session,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        let contact = try state.contact(at: context.now, else: Refusal.unavailable)
        guard by.mayAct(on: state) else { throw .notOwner(NotOwner(state)) }
        guard contact.hasNumber else { throw .withoutNumber(session) }
        let issued = SessionLinkIssued(link: link, by: by.user, expiresAt: expiresAt)
        return .record([.session(session, .linkIssued(issued))])
    }
}
