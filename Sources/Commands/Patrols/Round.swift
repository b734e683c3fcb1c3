// SPDX-License-Identifier: Apache-2.0
public import Events

/// The round that a guard is on; there is one at a time.
public struct ActiveRound: Fold {
    public let id: UserID
    /// `nil` while the guard is on none.
    public private(set) var round: RoundID?

    public init(_ id: UserID) {
        self.id = id
    }

    public static func source(of id: UserID) -> FoldSource { .links(to: .member(.user(id))) }

    /// Takes in the start or the end of one of the guard's rounds.
    public mutating func apply(_ event: RecordedEvent) {
        let named = RoundID(String(event.envelope.subject.name))
        switch event.fact {
        case .patrol(.roundStarted(let started)) where started.guardID == id: round = named
        case .patrol(.roundFinished(let finished)) where finished.guardID == id && named == round:
            round = nil
        default: break
        }
    }
}

/// One walk of a tour: what is due when, and how far it has come.
public struct Round: Fold {
    public let id: RoundID
    /// `nil` before it began.
    public private(set) var start: RoundStarted?
    /// What began it.
    public private(set) var cause: Cause?
    public private(set) var startedAt: Timestamp?
    /// The points that the guard reached, and whether in time.
    public private(set) var reached: [PatrolPointID: RoundPointReached.Standing] = [:]
    /// The points of which it was recorded that they were late.
    public private(set) var overdue: Set<PatrolPointID> = []
    /// The points of which it was recorded that they were missed.
    public private(set) var missed: Set<PatrolPointID> = []
    public private(set) var isFinished = false

    public init(_ id: RoundID) {
        self.id = id
    }

    public static func source(of id: RoundID) -> FoldSource { .subject(.round(id)) }

    /// Takes in an event of the round's subject.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .patrol(let fact) = event.fact else { return }
        switch fact {
        case .roundStarted(let started):
            (start, cause, startedAt) = (started, Cause(event.envelope), event.envelope.time)
        case .roundPointReached(let point): reached[point.point] = point.standing
        case .roundPointOverdue(let point): overdue.insert(point.point)
        case .roundPointMissed(let point): missed.insert(point.point)
        case .roundFinished: isFinished = true
        default: break
        }
    }
}

extension Round {
    /// The round's points that nobody reached, in order.
    var open: [RoundStarted.Point] { start?.points.filter { reached[$0.point] == nil } ?? [] }

    /// What a check-in means for the round; `nil` where it does not count: of another point, of one that was reached, before its
    /// window, or before those that come first.
    func standing(of point: PatrolPointID, at moment: Timestamp) -> RoundPointReached.Standing? {
        guard !isFinished, let start, let due = open.first(where: { $0.point == point }),
            moment >= due.from
        else { return nil }
        if start.isOrdered, let first = open.first(where: { !missed.contains($0.point) }),
            first.point != point, !missed.contains(point)
        {
            return nil
        }
        if moment > due.lateUntil { return .missed }
        return moment > due.until ? .late : .onTime
    }

    /// How the round ends now, counting one more point as reached or missed.
    func finish(
        _ reason: RoundFinished.Reason,
        reaching point: PatrolPointID? = nil,
        at now: Timestamp
    ) -> RoundFinished? {
        guard let start, let startedAt else { return nil }
        let missed = open.map(\.point).filter { $0 != point }
        return RoundFinished(
            guardID: start.guardID,
            reason: reason,
            reached: start.points.count - missed.count,
            missed: missed,
            durationMilliseconds: Int(max(0, now.microseconds - startedAt.microseconds) / 1_000)
        )
    }
}
