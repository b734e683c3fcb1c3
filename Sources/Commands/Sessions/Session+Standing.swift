// SPDX-License-Identifier: Apache-2.0
public import Events

extension Session {
    /// Whether the start limit ran out, told by the log or by the clock of a decision: at the limit
    /// itself it has (ruling 35).
    public func isExpired(at now: Timestamp) -> Bool {
        if ending == .expired { return true }
        guard ending == nil, !isStarted, let limit = startLimit else { return false }
        return now >= limit
    }

    /// Until when something has to start: in a session that an operator opened, or in which the caller only wants to show video.
    public var startLimit: Timestamp? { contact?.expiresAt ?? wishesVideoUntil }

    /// Whether the caller may show video (ruling 35): an operator opened it, or has come, or the caller has written.
    public var takesVideo: Bool {
        contact?.openedBy == .operator || wasClaimed || callerHasWritten
    }

    /// Whether it takes messages, video and places at a moment.
    public func isOpen(at now: Timestamp) -> Bool {
        contact != nil && ending == nil && !isExpired(at: now)
    }

    /// Whether a party came back a moment ago, so that coming back again says nothing new.
    func wasResumed(by party: Party, at now: Timestamp) -> Bool {
        guard let last = resumedAt[party] else { return false }
        return now.isLess(than: CommandLimits.resumeInterval, after: last)
    }

    /// Whether it is for text alone, for which an operator may be allowed more of them.
    public var isTextOnly: Bool {
        contact.map(\.channel.isText) ?? false && streams.isEmpty
    }

    /// The contact of an open session, or why there is none.
    func contact<Refusal: Error>(
        at now: Timestamp,
        else refuse: (SessionUnavailable) -> Refusal
    ) throws(Refusal) -> Contact {
        guard let contact else { throw refuse(.unknown(id)) }
        if case .closed = ending { throw refuse(.closed(id)) }
        guard !isExpired(at: now) else { throw refuse(.expired(id)) }
        return contact
    }

    /// The expiry to record for a session whose limit ran out unnoticed; `nil` if there is none.
    ///
    /// The clock decides, not the policy that watches it; whoever needs its place records it.
    func overdueExpiry(at now: Timestamp) -> Write? {
        guard let contact, ending == nil, isExpired(at: now) else { return nil }
        return .session(
            id,
            .expired(SessionExpired(caller: contact.caller, owner: owner, reason: .startLimit))
        )
    }
}

/// Why a session takes nothing.
public enum SessionUnavailable: Hashable, Sendable {
    case unknown(SessionID)
    case expired(SessionID)
    case closed(SessionID)

    func problem(of attempt: String) -> Problem {
        switch self {
        case .unknown(let id):
            Problem(
                .notFound,
                "session-unknown",
                "\(attempt) refused: there is no session \(id); check the id",
                facts: ["session": "\(id)"]
            )
        case .expired(let id):
            Problem(
                .gone,
                "session-expired",
                "\(attempt) refused: nothing was started in session \(id) within its limit; "
                    + "open a new session",
                facts: ["session": "\(id)"]
            )
        case .closed(let id):
            Problem(
                .gone,
                "session-closed",
                "\(attempt) refused: session \(id) is closed; open a new session",
                facts: ["session": "\(id)"]
            )
        }
    }
}
