// SPDX-License-Identifier: Apache-2.0
import Events

/// Whose turn it is to have pictures decoded: by session in a circle, within a session by stream in a circle.
///
/// Streams whose pictures are fresh come before those that catch up, but one turn in four is for the latter.
/// However many streams a session has, it gets no more than its share of the turns, and another session waits
/// for one turn of each of the others at most. A pure value; ``InspectionTurns`` wakes those it names.
struct TurnOrder {
    /// Turns at once.
    let count: Int
    /// Turns at once of one session.
    let perSession: Int
    private var taken: [SessionID: Int] = [:]
    private var fresh = Circle()
    private var behind = Circle()
    private var freshInARow = 0

    init(count: Int, perSession: Int) {
        self.count = max(1, count)
        self.perSession = max(1, perSession)
    }

    /// How many wait.
    var waiting: Int { fresh.count + behind.count }

    /// Lets somebody wait, who is named by a number of the asker's.
    mutating func wait(_ name: Int, of session: SessionID, isFresh: Bool) {
        if isFresh { fresh.add(name, of: session) } else { behind.add(name, of: session) }
    }

    /// Forgets somebody who waits.
    ///
    /// - Returns: Whether they waited; `false` when their turn has begun.
    mutating func withdraw(_ name: Int, of session: SessionID) -> Bool {
        fresh.remove(name, of: session) || behind.remove(name, of: session)
    }

    /// Begins the next turn; `nil` when none is free, or nobody waits who may have it.
    mutating func next() -> Int? {
        guard taken.values.reduce(0, +) < count else { return nil }
        let mayHave = { [taken, perSession] session in taken[session, default: 0] < perSession }
        let isForBehind = freshInARow >= 3
        var found = isForBehind ? behind.take(where: mayHave) : fresh.take(where: mayHave)
        var isFresh = !isForBehind
        if found == nil {
            found = isForBehind ? fresh.take(where: mayHave) : behind.take(where: mayHave)
            isFresh = isForBehind
        }
        guard let found else { return nil }
        freshInARow = isFresh ? freshInARow + 1 : 0
        taken[found.session, default: 0] += 1
        return found.name
    }

    /// Ends a turn.
    mutating func end(of session: SessionID) {
        let left = taken[session, default: 1] - 1
        taken[session] = left > 0 ? left : nil
    }
}

/// Sessions in a circle, each with those who wait in order.
private struct Circle {
    private var sessions: [SessionID] = []
    private var names: [SessionID: [Int]] = [:]
    private(set) var count = 0

    mutating func add(_ name: Int, of session: SessionID) {
        if names[session] == nil { sessions.append(session) }
        names[session, default: []].append(name)
        count += 1
    }

    mutating func remove(_ name: Int, of session: SessionID) -> Bool {
        guard let place = names[session]?.firstIndex(of: name) else { return false }
        take(at: place, of: session)
        return true
    }

    /// Takes the first of the first session that may; that session goes to the end of the circle.
    mutating func take(
        where mayHave: (SessionID) -> Bool
    ) -> (name: Int, session: SessionID)? {
        guard let session = sessions.first(where: mayHave), let name = names[session]?.first else {
            return nil
        }
        take(at: 0, of: session)
        if names[session] != nil {
            sessions.removeAll { $0 == session }
            sessions.append(session)
        }
        return (name, session)
    }

    private mutating func take(at place: Int, of session: SessionID) {
        names[session]?.remove(at: place)
        count -= 1
        guard names[session]?.isEmpty == true else { return }
        names[session] = nil
        sessions.removeAll { $0 == session }
    }
}
