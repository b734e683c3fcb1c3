// SPDX-License-Identifier: Apache-2.0
public import Events

/// A member of the centre who asks for something, with the role that the gateway checked.
public struct Staff: Hashable, Sendable {
    public let user: UserID
    public let role: Role

    public init(_ user: UserID, as role: Role) {
        self.user = user
        self.role = role
    }

    /// Whether the role stands above the owner of a session.
    public var isSupervisor: Bool {
        switch role {
        case .supervisor, .organisationAdmin, .admin: true
        case .caller, .reporter, .guard, .rescuer, .operator, .analyst, .auditor, .service: false
        }
    }

    /// Whether a session is this member's to act on: as its owner, or from above.
    func mayAct(on session: Session) -> Bool {
        session.owner == user || isSupervisor
    }
}

/// A session belongs to somebody else, or to nobody yet.
public struct NotOwner: Hashable, Sendable {
    public let session: SessionID
    public let owner: UserID?

    init(_ session: Session) {
        self.session = session.id
        owner = session.owner
    }

    func problem(of attempt: String) -> Problem {
        let fact =
            owner.map { "operator \($0) has session \(session)" }
            ?? "nobody has claimed session \(session)"
        let wayOut = owner == nil ? "claim it first" : "ask its owner or a supervisor"
        return Problem(
            .forbidden,
            "session-not-owned",
            "\(attempt) refused: \(fact); \(wayOut)",
            facts: ["session": "\(session)"].merging(
                owner.map { ["owner": "\($0)"] } ?? [:],
                uniquingKeysWith: { first, _ in first }
            )
        )
    }
}
