// SPDX-License-Identifier: Apache-2.0
public import Events

/// A guard sets out on a round of a tour.
public struct StartRound: Command {
    public typealias Outcome = RoundID

    public let tour: TourID
    public let guardID: UserID

    public init(of tour: TourID, by guardID: UserID) {
        self.tour = tour
        self.guardID = guardID
    }

    /// Why the guard did not set out.
    public enum Refusal: CommandRefusal {
        case unknown(TourID)
        case retired(TourID)
        case onAnother(RoundID)

        public var problem: Problem {
            switch self {
            case .unknown(let tour): .tourUnknown(tour, attempt: "start")
            case .retired(let tour):
                Problem(
                    .conflict,
                    "tour-retired",
                    "start refused: tour \(tour) is walked no more; choose another",
                    facts: ["tour": "\(tour)"]
                )
            case .onAnother(let round):
                Problem(
                    .conflict,
                    "round-under-way",
                    "start refused: you are on round \(round) already; finish it first",
                    facts: ["round": "\(round)"]
                )
            }
        }
    }

    public var subject: Subject { .tour(tour) }
    public var lane: Subject? { .user(guardID) }

    public func read(_ ledger: inout LedgerView) throws -> (tour: Tour, active: ActiveRound) {
        (try ledger.read(Tour.self, tour), try ledger.read(ActiveRound.self, guardID))
    }

    public func decide(
        _ state: (tour: Tour, active: ActiveRound),
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<RoundID> {
        guard let definition = state.tour.definition else { throw .unknown(tour) }
        guard !definition.isRetired else { throw .retired(tour) }
        if let round = state.active.round { throw .onAnother(round) }
        let now = context.now
        let points = definition.points.map { point in
            RoundStarted.Point(
                point: point.point,
                from: now + .seconds(point.fromSeconds),
                until: now + .seconds(point.untilSeconds),
                lateUntil: now + .seconds(point.untilSeconds + definition.graceSeconds)
            )
        }
        let started = RoundStarted(
            tour: tour,
            guardID: guardID,
            points: points,
            isOrdered: definition.isOrdered
        )
        return .record([.round(context.newID(), .roundStarted(started))])
    }

    public func outcome(of recorded: [Write]) throws(Refusal) -> RoundID? {
        recorded.first(RoundStarted.self).flatMap { RoundID(String($0.subject.name)) }
    }
}

/// A round ends before every point was reached: its guard, or who supervises, says so.
public struct StopRound: Command {
    public let round: RoundID
    /// Who asks; `nil` for who may stop anybody's.
    public let guardID: UserID?

    public init(_ round: RoundID, by guardID: UserID?) {
        self.round = round
        self.guardID = guardID
    }

    /// Why it goes on.
    public enum Refusal: CommandRefusal {
        case unavailable(RoundUnavailable)

        public var problem: Problem {
            switch self {
            case .unavailable(let reason): reason.problem
            }
        }
    }

    public var subject: Subject { .round(round) }

    public func read(_ ledger: inout LedgerView) throws -> Round {
        try ledger.read(Round.self, round)
    }

    public func decide(
        _ state: Round,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard let start = state.start else { throw .unavailable(.unknown(round)) }
        if let guardID, start.guardID != guardID { throw .unavailable(.anothers(round)) }
        guard !state.isFinished else { return .already(()) }
        guard let finished = state.finish(.stopped, at: context.now) else {
            throw .unavailable(.unknown(round))
        }
        return .record([.round(round, .roundFinished(finished))])
    }
}

/// Why nothing can be done with a round.
public enum RoundUnavailable: Error, Hashable, Sendable {
    case unknown(RoundID)
    case anothers(RoundID)
    /// No point of this one that is late or missed.
    case pointNotDue(PatrolPointID, RoundID)

    var problem: Problem {
        switch self {
        case .unknown(let round):
            Problem(
                .notFound,
                "round-unknown",
                "change of a round refused: there is no round \(round); look at the list of rounds",
                facts: ["round": "\(round)"]
            )
        case .anothers(let round):
            Problem(
                .forbidden,
                "round-of-another",
                "end refused: round \(round) is another guard's; a supervisor may end it",
                facts: ["round": "\(round)"]
            )
        case .pointNotDue(let point, let round):
            Problem(
                .conflict,
                "round-point-not-due",
                "care of a point refused: \(point) is neither late nor missed on round \(round); there is nothing to do about it",
                facts: ["point": "\(point)", "round": "\(round)"]
            )
        }
    }
}
