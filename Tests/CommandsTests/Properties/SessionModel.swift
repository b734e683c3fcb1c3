// SPDX-License-Identifier: Apache-2.0
import Commands
import Events

/// What sessions must do, said a second time and differently: plain tables, no events, no folds.
struct SessionModel {
    /// One session as the rules see it.
    struct Row {
        let caller: Int
        /// When the start limit runs out, in microseconds; none if its caller opened it.
        let limit: Int?
        var owner: Int?
        /// To whom it is offered, and until when.
        var offer: (to: Int, until: Int)?
        /// When another may take it over.
        var freeAt: Int?
        var hasStarted = false
        var hasExpired = false
        var isClosed = false
        var streams = 0
        var messages: [Message: MessageID] = [:]
        var requests: [RequestID: Request] = [:]
    }

    /// What was asked, when its time is over, and what became of it.
    struct Request {
        let limit: Int
        var isOpened = false
        var answer: SessionRequestAnswered.Answer?
    }

    /// A sender and that sender's id.
    struct Message: Hashable {
        let sender: Int
        let temporaryID: Int
    }

    private(set) var rows: [SessionID: Row] = [:]
    private(set) var now = 0

    mutating func wait(_ microseconds: Int) {
        now += microseconds
        for id in rows.keys {
            guard let row = rows[id], let limit = row.limit, !row.isClosed, !row.hasStarted else {
                continue
            }
            if now >= limit { rows[id]?.hasExpired = true }
        }
    }

    /// Whether it takes anything.
    func isLive(_ id: SessionID) -> Bool {
        rows[id].map { !$0.isClosed && !$0.hasExpired } ?? false
    }

    /// Why nothing can be done in a session, whoever asks.
    func ended(_ id: SessionID) -> String? {
        guard let row = rows[id] else { return "session-unknown" }
        if row.isClosed { return "session-closed" }
        return row.hasExpired ? "session-expired" : nil
    }

    func liveSession(ofCaller caller: Int) -> SessionID? {
        rows.first { $0.value.caller == caller && isLive($0.key) }?.key
    }

    func hasLiveSession(owner: Int) -> Bool {
        rows.contains { $0.value.owner == owner && isLive($0.key) }
    }

    // MARK: What becomes of each command: the refusal's name, or none

    func creating(by user: Int, for caller: Int) -> String? {
        if liveSession(ofCaller: caller) != nil { return "caller-in-session" }
        return hasLiveSession(owner: user) ? "operator-has-open-session" : nil
    }

    func claiming(_ id: SessionID, by user: Int) -> String? {
        if let ended = ended(id) { return ended }
        if let owner = rows[id]?.owner {
            return owner == user ? nil : "session-claimed-by-other"
        }
        return hasLiveSession(owner: user) ? "operator-has-open-session" : nil
    }

    func offering(_ id: SessionID, by user: Int, to other: Int) -> String? {
        if let refused = leaving(id, by: user) { return refused }
        if other == user { return "colleague-cannot-hold" }
        return hasLiveSession(owner: other) ? "colleague-has-open-session" : nil
    }

    func accepting(_ id: SessionID, by user: Int) -> String? {
        if let ended = ended(id) { return ended }
        guard let offer = rows[id]?.offer, offer.to == user, now < offer.until else {
            return "offer-over"
        }
        return hasLiveSession(owner: user) ? "operator-has-open-session" : nil
    }

    func takingOver(_ id: SessionID, by user: Int) -> String? {
        if let ended = ended(id) { return ended }
        if rows[id]?.owner == user { return nil }
        guard let freeAt = rows[id]?.freeAt else { return "session-not-unattended" }
        if now < freeAt { return "take-over-too-soon" }
        return hasLiveSession(owner: user) ? "operator-has-open-session" : nil
    }

    func leaving(_ id: SessionID, by user: Int) -> String? {
        ended(id) ?? (rows[id]?.owner == user ? nil : "session-not-owned")
    }

    func expiring(_ id: SessionID) -> String? {
        guard let row = rows[id] else { return "session-unknown" }
        if row.isClosed { return "session-closed" }
        if row.hasExpired { return nil }
        if row.hasStarted { return "session-started" }
        return row.limit == nil ? "session-without-limit" : "session-limit-not-reached"
    }

    func sending(_ message: Message, in id: SessionID) -> String? {
        guard let row = rows[id] else { return "session-unknown" }
        if row.messages[message] != nil { return nil }
        if row.caller != message.sender { return "session-of-other-caller" }
        return isLive(id) ? nil : "chat-ended"
    }

    func streaming(in id: SessionID, by caller: Int) -> String? {
        if let ended = ended(id) { return ended }
        guard rows[id]?.caller == caller else { return "device-of-other-number" }
        let isFull = rows[id]?.streams ?? 0 >= CommandLimits.streamsPerSessionMax
        return isFull ? "session-streams-exhausted" : nil
    }

    func locating(in id: SessionID, by caller: Int) -> String? {
        ended(id) ?? (rows[id]?.caller == caller ? nil : "session-of-other-caller")
    }

    func asking(in id: SessionID, by user: Int) -> String? {
        if let ended = ended(id) { return ended }
        guard rows[id]?.owner == user else { return "session-not-owned" }
        let waits = rows[id]?.requests.values.contains { $0.answer == nil && now < $0.limit }
        return waits == true ? "request-pending" : nil
    }

    func answering(_ request: RequestID, in id: SessionID, by caller: Int) -> String? {
        guard let row = rows[id] else { return "session-unknown" }
        guard row.caller == caller else { return "session-of-other-caller" }
        guard let known = row.requests[request] else { return "request-unknown" }
        // The play always says yes.
        return known.answer == .declined ? "request-answered" : nil
    }

    /// How a yes counts.
    func counted(_ request: RequestID, in id: SessionID) -> SessionRequestAnswered.Answer? {
        guard let known = rows[id]?.requests[request] else { return nil }
        return known.answer ?? (now < known.limit && isLive(id) ? .accepted : .stale)
    }

    func opening(_ request: RequestID, in id: SessionID, by caller: Int) -> String? {
        guard let row = rows[id] else { return "session-unknown" }
        guard row.caller == caller else { return "session-of-other-caller" }
        guard let known = row.requests[request] else { return "request-unknown" }
        let waits = known.answer == nil && now < known.limit && isLive(id)
        return known.isOpened || waits ? nil : "request-over"
    }

    // MARK: What an accepted command changes

    mutating func asked(_ request: RequestID, in id: SessionID) {
        guard let row = rows[id] else { return }
        let own = now + 120_000_000
        let limit = row.hasStarted ? own : row.limit ?? own
        rows[id]?.requests[request] = Request(limit: limit)
    }

    mutating func answered(_ request: RequestID, in id: SessionID) {
        let counted = counted(request, in: id)
        rows[id]?.requests[request]?.answer = counted
    }

    mutating func opened(_ request: RequestID, in id: SessionID) {
        rows[id]?.requests[request]?.isOpened = true
    }

    mutating func created(_ id: SessionID, by user: Int, for caller: Int) {
        rows[id] = Row(caller: caller, limit: now + 120_000_000, owner: user)
    }

    mutating func chatted(_ id: SessionID, by caller: Int) {
        if rows[id] == nil { rows[id] = Row(caller: caller, limit: nil) }
    }

    mutating func owned(_ id: SessionID, by user: Int?) {
        guard rows[id]?.owner != user else { return }
        rows[id]?.owner = user
        rows[id]?.offer = nil
        rows[id]?.freeAt = nil
    }

    mutating func offered(_ id: SessionID, to user: Int) {
        rows[id]?.offer = (user, now + 60_000_000)
    }

    /// Silence signs a user out.
    mutating func silenced(_ user: Int) {
        for (id, row) in rows where row.owner == user && isLive(id) && row.freeAt == nil {
            rows[id]?.freeAt = now + 120_000_000
        }
    }
    mutating func closed(_ id: SessionID) { rows[id]?.isClosed = true }
    mutating func located(_ id: SessionID) { rows[id]?.hasStarted = true }

    mutating func streamed(_ id: SessionID) {
        rows[id]?.hasStarted = true
        rows[id]?.streams += 1
    }

    mutating func sent(_ message: Message, _ messageID: MessageID, in id: SessionID) {
        rows[id]?.hasStarted = true
        rows[id]?.messages[message] = messageID
    }
}
