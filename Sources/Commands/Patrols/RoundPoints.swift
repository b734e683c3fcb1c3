// SPDX-License-Identifier: Apache-2.0
public import Events

/// Time goes by on a round: what is late, or missed, and that it is over.
///
/// The rounds policy asks.
public struct PassRoundTime: Command {
    public let round: RoundID

    public init(_ round: RoundID) {
        self.round = round
    }

    /// Why nothing was recorded.
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
        guard !state.isFinished else { return .already(()) }
        let now = context.now
        var writes: [Write] = []
        for due in state.open {
            let (point, guardID) = (due.point, start.guardID)
            if now > due.until, !state.overdue.contains(point) {
                let late = RoundPointOverdue(point: point, guardID: guardID, until: due.until)
                writes.append(.round(round, .roundPointOverdue(late)))
            }
            if now > due.lateUntil, !state.missed.contains(point) {
                let missed = RoundPointMissed(point: point, guardID: guardID, until: due.until)
                writes.append(.round(round, .roundPointMissed(missed)))
            }
        }
        if state.open.allSatisfy({ now > $0.lateUntil }),
            let finished = state.finish(.expired, at: now)
        {
            writes.append(.round(round, .roundFinished(finished)))
        }
        return writes.isEmpty ? .already(()) : .record(writes)
    }
}

/// A supervisor sends somebody to a point that is late or missed, or notes why it is.
public struct HandleRoundPoint: Command {
    public let round: RoundID
    public let point: PatrolPointID
    public let by: UserID
    /// Who is sent.
    public let sent: UserID?
    public let note: String?
    /// Whom a note speaks of: the guard.
    public let guardPerson: PersonID

    public init(
        _ point: PatrolPointID,
        of round: RoundID,
        by: UserID,
        sending sent: UserID?,
        note: String?,
        about guardPerson: PersonID
    ) {
        self.round = round
        self.point = point
        self.by = by
        self.sent = sent
        self.note = note
        self.guardPerson = guardPerson
    }

    /// Why it was not recorded.
    public enum Refusal: CommandRefusal {
        case unavailable(RoundUnavailable)
        case nothingSaid(PatrolPointID)
        /// Nobody of the organisation who may sign in, or the guard who is late.
        case cannotGo(UserID)
        /// What was noted is about somebody who was erased.
        case nobodyToNote(PatrolPointID)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .unavailable(let reason): reason.problem
            case .nothingSaid(let point):
                Problem(
                    .unprocessable,
                    "round-point-nothing-said",
                    "care of point \(point) refused: it says neither who is sent nor why nobody was there; say one of them",
                    facts: ["point": "\(point)"]
                )
            case .cannotGo(let user):
                Problem(
                    .conflict,
                    "colleague-cannot-go",
                    "care of a point refused: \(user) is nobody else of your organisation who may sign in; send another",
                    facts: ["user": "\(user)"]
                )
            case .nobodyToNote(let point):
                Problem(
                    .conflict,
                    "round-point-note-lost",
                    "care of point \(point) refused: its guard was erased, and so would be the note; say whom you send",
                    facts: ["point": "\(point)"]
                )
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    /// What the decision goes by.
    public struct State {
        let round: Round
        let person: Person
        /// Who is sent.
        let colleague: User?
    }

    public var subject: Subject { .round(round) }

    public func read(_ ledger: inout LedgerView) throws -> State {
        State(
            round: try ledger.read(Round.self, round),
            person: try ledger.read(Person.self, guardPerson),
            colleague: try sent.map { try ledger.read(User.self, $0) }
        )
    }

    public func decide(
        _ state: State,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard sent != nil || note?.hasVisibleCharacter == true else { throw .nothingSaid(point) }
        try InputFault.check(
            optional: note,
            "note",
            bytesMax: CommandLimits.noteBytesMax,
            else: Refusal.unacceptable
        )
        guard state.round.start != nil else { throw .unavailable(.unknown(round)) }
        guard state.round.overdue.contains(point) || state.round.missed.contains(point) else {
            throw .unavailable(.pointNotDue(point, round))
        }
        if let colleague = state.colleague {
            guard colleague.mayGo(in: context.organisation),
                colleague.id != state.round.start?.guardID
            else { throw .cannotGo(colleague.id) }
        }
        let sealed = note.flatMap { $0.hasVisibleCharacter ? state.person.sealed($0) : nil }
        guard sent != nil || sealed != nil else { throw .nobodyToNote(point) }
        let handled = RoundPointHandled(
            point: point,
            by: by,
            sent: sent,
            note: sealed
        )
        return .record([.round(round, .roundPointHandled(handled))])
    }
}

extension User {
    /// Whether somebody of an organisation can be sent anywhere.
    func mayGo(in organisation: OrganisationID) -> Bool {
        account?.organisation == organisation && !isDisabled
    }
}
