// SPDX-License-Identifier: Apache-2.0
import Events

/// Who has which open sessions, and whether one more may be claimed, as the policy `operator-limit` has it.
struct OwnerRule {
    private var owners: [SessionID: UserID] = [:]
    /// Open sessions that are for text alone.
    private var texts: Set<SessionID> = []
    private var sessionsMax = 1
    private var textSessionsMax = 1

    /// What a policy may allow at most.
    private static let highest = 16

    mutating func apply(_ policy: PolicyEnabled) {
        guard policy.policy == "operator-limit" else { return }
        let any = policy.settings["sessions"] ?? 1
        sessionsMax = min(any, Self.highest)
        textSessionsMax = min(max(any, policy.settings["textSessions"] ?? any), Self.highest)
    }

    mutating func begin(_ session: SessionID, _ created: SessionCreated) {
        if created.channel.isText { texts.insert(session) }
    }

    /// Takes the start of a stream: the session is for text alone no more.
    mutating func stream(in session: SessionID) { texts.remove(session) }

    /// Takes a claim.
    ///
    /// - Returns: Whether nobody had the session, and whether one more was allowed.
    mutating func claim(_ session: SessionID, by user: UserID) -> (isFree: Bool, isAllowed: Bool) {
        let others = owners.filter { $0.value == user && $0.key != session }.keys
        let isText = texts.contains(session) && others.allSatisfy(texts.contains)
        let before = owners.updateValue(user, forKey: session)
        return (before == nil, others.count < (isText ? textSessionsMax : sessionsMax))
    }

    /// Takes that a session passed from one operator to another.
    ///
    /// - Returns: Whether it was the one's, and whether the other was allowed one more.
    mutating func transfer(
        _ session: SessionID,
        from: UserID,
        to user: UserID
    ) -> (wasTheirs: Bool, isAllowed: Bool) {
        let wasTheirs = owners.removeValue(forKey: session) == from && from != user
        return (wasTheirs, claim(session, by: user).isAllowed)
    }

    /// Whether somebody has a session.
    func isOwned(_ session: SessionID) -> Bool { owners[session] != nil }

    /// Whether a session is a user's.
    func has(_ user: UserID, _ session: SessionID) -> Bool { owners[session] == user }

    /// Takes the end of an ownership; tells whose it was.
    mutating func release(_ session: SessionID) -> UserID? {
        owners.removeValue(forKey: session)
    }

    /// Takes the end of a session; tells whose it was.
    mutating func end(_ session: SessionID) -> UserID? {
        texts.remove(session)
        return owners.removeValue(forKey: session)
    }
}
