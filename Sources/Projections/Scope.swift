// SPDX-License-Identifier: Apache-2.0
public import Events

/// Whose rows a query may show: queries for readers take one and filter by it in SQL, before limit and cursor.
///
/// In the gateway only a `Principal` makes one, and the gateway's own policies take ``wholeLedger``; a test holds the
/// sources to that. What happened after the rows were written (a claim of a moment ago) the gateway checks on top.
public struct Scope: Hashable, Sendable {
    /// The organisation whose rows there are; `nil` for all organisations.
    public let organisation: OrganisationID?
    public let reader: Reader

    /// How far somebody sees within the organisation.
    public enum Reader: Hashable, Sendable {
        /// Supervisors, auditors, administrators, services.
        case everything
        /// Operators: sessions that are nobody's, one's own, linked to one's own, and those that have ended and are not sealed.
        case desk(UserID?)
        /// A caller: the own sessions, of a one-use link only those that it names, on a newer phone only those of its past.
        case caller(PersonID, sessions: Set<SessionID>?, past: Past)
        /// No sessions at all.
        case nothing
    }

    /// How far back a caller's phone sees (ruling 39).
    public enum Past: Hashable, Sendable {
        case all
        /// What began at a moment, in milliseconds since 1970, or later, and the earlier sessions that somebody agreed to.
        case since(Int64, and: Set<SessionID>)
    }

    public init(organisation: OrganisationID?, reader: Reader) {
        self.organisation = organisation
        self.reader = reader
    }

    /// Every row of every organisation: for tools of an auditor who holds the folder, and for policies.
    public static let wholeLedger = Scope(organisation: nil, reader: .everything)
}

extension Query {
    /// Leaves the rows of the scope's organisation: for models whose rows are no session's.
    ///
    /// - Parameters:
    ///   - scope: Whose rows.
    ///   - column: Where a row says whose it is.
    mutating func filter(_ scope: Scope, organisation column: String = "org") {
        filter(broad: "\(column) = ?", scope.organisation)
    }

    /// Leaves the sessions whose outer facts the scope shows: to the desk all of the organisation, to a caller the own.
    ///
    /// - Parameters:
    ///   - scope: Whose rows.
    ///   - session: The alias of the table `session`.
    mutating func filter(_ scope: Scope, outerFactsOf session: String) {
        filter(scope, organisation: "\(session).org")
        if scope.reader == .nothing { filter("0") }
        guard case .caller(let person, let sessions, let past) = scope.reader else { return }
        filter(leading: "\(session).caller = ?", person)
        if let sessions { filter("\(session).id IN (\(Self.names(sessions)))") }
        guard case .since(let moment, let agreed) = past else { return }
        let began = "\(session).id >= '\(UUIDv7.least(at: moment))'"
        filter("(\(began) OR \(session).id IN (\(Self.names(agreed))))")
    }

    private static func names(_ sessions: Set<SessionID>) -> String {
        sessions.map { "'\($0)'" }.sorted().joined(separator: ", ")
    }

    /// Leaves the sessions whose contents the scope shows (rulings 18 and 33), but for those that a link opened (decision 0031):
    /// who made it when, the log knows.
    mutating func filter(_ scope: Scope, contentsOf session: String) {
        filter(scope, outerFactsOf: session)
        guard case .desk(let user) = scope.reader else { return }
        filter(
            """
            (CASE WHEN \(session).ended_at IS NULL THEN coalesce(\(session).owner, ?) = ?
            ELSE \(session).sealed = 0 OR \(session).last_owner = ? END)
            """,
            user?.text ?? ""
        )
    }
}
