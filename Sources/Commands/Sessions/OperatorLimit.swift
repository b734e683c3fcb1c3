// SPDX-License-Identifier: Apache-2.0
public import Events

/// How many sessions an operator may have open: one, unless the policy `operator-limit` says
/// otherwise by `sessions` (any) and `textSessions` (while all are text alone).
public struct OperatorLimit: Hashable, Sendable {
    /// The policy's name.
    public static let policy = "operator-limit"

    /// Of any kind.
    public let sessions: Int
    /// While all of them are text alone.
    public let textSessions: Int

    public init(_ policy: Policy) {
        let highest = CommandLimits.openSessionsPerOperatorMax
        let any = policy.settings["sessions"] ?? CommandLimits.openSessionsPerOperator
        sessions = min(any, highest)
        textSessions = min(max(any, policy.settings["textSessions"] ?? any), highest)
    }

    /// How many may be open when one more is of this kind.
    func openMax(with open: [Session], addingText: Bool) -> Int {
        addingText && open.allSatisfy(\.isTextOnly) ? textSessions : sessions
    }
}

/// What an operator has open, read for a decision that would add one.
public struct Workload: Hashable, Sendable {
    let open: [Session]
    let limit: OperatorLimit

    /// Reads the user's sessions; what ended by the clock alone is told apart by the decision.
    static func read(_ user: UserID, _ ledger: inout LedgerView) throws -> Workload {
        var open: [Session] = []
        for session in try ledger.read(Operator.self, user).sessions {
            open.append(try ledger.read(Session.self, session))
        }
        return Workload(
            open: open,
            limit: OperatorLimit(try ledger.read(Policy.self, OperatorLimit.policy))
        )
    }

    /// What a user has open, for queries that must not lag behind the log.
    ///
    /// - Parameters:
    ///   - open: The sessions that the user owns; those that ended by the clock alone may be among them.
    ///   - policy: The policy ``OperatorLimit/policy``.
    public init(open: [Session], policy: Policy) {
        self.init(open: open, limit: OperatorLimit(policy))
    }

    private init(open: [Session], limit: OperatorLimit) {
        self.open = open
        self.limit = limit
    }

    /// Whether one more session may be opened or claimed.
    public func admits(addingText: Bool, at now: Timestamp) -> Bool {
        let live = open.filter { $0.isOpen(at: now) }
        return live.count < limit.openMax(with: live, addingText: addingText)
    }

    /// Says no if one more session would be one too many.
    func check<Refusal: Error>(
        addingText: Bool,
        at now: Timestamp,
        else refuse: (OperatorBusy) -> Refusal
    ) throws(Refusal) {
        guard !admits(addingText: addingText, at: now) else { return }
        let live = open.filter { $0.isOpen(at: now) }
        let max = limit.openMax(with: live, addingText: addingText)
        throw refuse(OperatorBusy(open: live.map(\.id), max: max))
    }
}

/// An operator has as many open sessions as allowed.
public struct OperatorBusy: Hashable, Sendable {
    public let open: [SessionID]
    public let max: Int

    func problem(of attempt: String) -> Problem {
        let names = open.map(\.description).joined(separator: ", ")
        return Problem(
            .conflict,
            "operator-has-open-session",
            "\(attempt) refused: you have \(open.count) open of at most \(max), session \(names); "
                + "close or release it first",
            facts: ["session": names, "max": String(max)]
        )
    }
}
