// SPDX-License-Identifier: Apache-2.0
public import Events

/// A guard scanned a point's code; the gateway has checked the code under the point's secret.
///
/// What is refused is recorded too (ruling 26): a forged code, one that was renewed, a scan from afar, a scan that no round waits for repeated
/// within five minutes (the policy `check-in` may say otherwise by `intervalSeconds`).
public struct CheckIn: Command {
    public let point: PatrolPointID
    public let guardID: UserID
    public let guardPerson: PersonID
    public let code: CodeVerdict
    public let fix: Fix?
    public let sending: Sending
    public let note: String?

    public init(
        at point: PatrolPointID,
        by guardID: UserID,
        person guardPerson: PersonID,
        code: CodeVerdict,
        fix: Fix? = nil,
        sending: Sending = .atOnce,
        note: String? = nil
    ) {
        self.point = point
        self.guardID = guardID
        self.guardPerson = guardPerson
        self.code = code
        self.fix = fix
        self.sending = sending
        self.note = note
    }

    /// What checking the code gave.
    public enum CodeVerdict: Hashable, Sendable {
        /// It is one of the point's, the first or one that took its place.
        case genuine(number: Int)
        case forged
    }

    /// When the scan reached the gateway.
    public enum Sending: Hashable, Sendable, CaseIterable {
        case atOnce
        /// Kept on the device and sent later; the context's `occurredAt` is the scan's moment.
        case later
    }

    /// Why the scan does not count; all but the last are recorded.
    public enum Refusal: CommandRefusal {
        case badCode(PatrolPointID)
        case codeRenewed(PatrolPointID)
        case tooFar(PatrolPointID)
        case duplicate(PatrolPointID)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .badCode(let point):
                Problem(
                    .forbidden,
                    "check-in-bad-code",
                    "check-in refused: the code is not that of point \(point); scan the code there",
                    facts: ["point": "\(point)"]
                )
            case .codeRenewed(let point):
                Problem(
                    .conflict,
                    "check-in-code-renewed",
                    "check-in refused: point \(point) has a new code; scan that one, or tell the "
                        + "supervisor that the old label still hangs",
                    facts: ["point": "\(point)"]
                )
            case .tooFar(let point):
                Problem(
                    .conflict,
                    "check-in-too-far",
                    "check-in refused: the scan was made too far from point \(point); "
                        + "scan it at the place itself",
                    facts: ["point": "\(point)"]
                )
            case .duplicate(let point):
                Problem(
                    .conflict,
                    "check-in-duplicate",
                    "check-in refused: you checked in at point \(point) just before; go on",
                    facts: ["point": "\(point)"]
                )
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    /// The policy's name.
    public static let policy = "check-in"

    public var subject: Subject { .patrolPoint(point) }

    /// The guard's, for a scan of another organisation's code stands on the guard.
    public var owned: Subject? { .user(guardID) }

    /// The point, how long a scan there counts once, and the round that the guard is on.
    public struct State {
        let point: PatrolPoint
        let window: Duration
        let round: Round?
    }

    public func read(_ ledger: inout LedgerView) throws -> State {
        let seconds = try ledger.read(Policy.self, Self.policy).settings["intervalSeconds"]
        let round = try ledger.read(ActiveRound.self, guardID).round
        return State(
            point: try ledger.read(PatrolPoint.self, point),
            window: .seconds(seconds ?? CommandLimits.checkInIntervalSeconds),
            round: try round.map { try ledger.read(Round.self, $0) }
        )
    }

    public func decide(
        _ state: State,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try checkInput()
        let moment = sending == .later ? context.occurredAt ?? context.now : context.now
        try checkTime(moment, now: context.now)
        // A point of another organisation is none: nothing is written into that one's history.
        guard let definition = state.point.definition,
            state.point.organisation == context.organisation
        else {
            return .record([.patrol(guard: guardID, refused(.badCode, nil, on: nil))])
        }
        let distance = distance(to: definition)
        let round = state.round.flatMap { ($0.startedAt ?? moment) <= moment ? $0.id : nil }
        // Who came too early, or out of order, is at the point once more when it counts.
        let judged = min(moment, context.now)
        let isAwaited = state.round?.standing(of: point, at: judged) != nil
        let reason: PatrolCheckInRefused.Reason? =
            if let refusal = codeRefusal(at: state.point, moment) {
                refusal
            } else if let distance, distance > definition.radiusMetres {
                .tooFar
            } else if !isAwaited,
                state.point.isRepetition(by: guardID, at: moment, within: state.window)
            {
                .duplicate
            } else {
                nil
            }
        if let reason { return .record([.patrol(point, refused(reason, distance, on: round))]) }
        return .record(
            [.patrol(point, .checkedIn(checkedIn(distance, on: round)))]
                + counted(in: state.round, at: judged, now: context.now)
        )
    }

    /// What the scan means for the guard's round: that the point is reached, and with the last one that the round is done.
    private func counted(in round: Round?, at moment: Timestamp, now: Timestamp) -> [Write] {
        guard let round, let standing = round.standing(of: point, at: moment) else { return [] }
        let reached = RoundPointReached(point: point, standing: standing)
        var writes: [Write] = [.round(round.id, .roundPointReached(reached))]
        let isLast = round.open.allSatisfy { $0.point == point || round.missed.contains($0.point) }
        if isLast, let finished = round.finish(.done, reaching: point, at: now) {
            writes.append(.round(round.id, .roundFinished(finished)))
        }
        return writes
    }

    public func outcome(of recorded: [Write]) throws(Refusal) -> Void? {
        guard let refused = recorded.first(PatrolCheckInRefused.self)?.payload else { return () }
        switch refused.reason {
        case .badCode: throw .badCode(point)
        case .codeRenewed: throw .codeRenewed(point)
        case .tooFar: throw .tooFar(point)
        case .duplicate: throw .duplicate(point)
        }
    }
}

extension CheckIn {
    private func checkInput() throws(Refusal) {
        try InputFault.check(fix, else: Refusal.unacceptable)
        try InputFault.check(
            optional: note,
            "note",
            bytesMax: CommandLimits.noteBytesMax,
            else: Refusal.unacceptable
        )
    }

    /// A tour is walked, not made up: no scan is of tomorrow, or of last year.
    private func checkTime(_ moment: Timestamp, now: Timestamp) throws(Refusal) {
        let earliest = now + (.zero - CommandLimits.checkInLateMax)
        let latest = now + CommandLimits.checkInAheadMax
        try InputFault.check(
            earliest <= moment && moment <= latest,
            "occurredAt",
            moment,
            allowed: "from \(earliest) to \(latest)",
            else: Refusal.unacceptable
        )
    }

    /// A label counts until it was renewed, also for a scan that was kept on the phone then.
    private func codeRefusal(
        at point: PatrolPoint,
        _ moment: Timestamp
    ) -> PatrolCheckInRefused.Reason? {
        switch code {
        case .forged: .badCode
        case .genuine(let number): number < point.codeNumber(at: moment) ? .codeRenewed : nil
        }
    }

    private func distance(to point: PatrolPointDefined) -> Double? {
        fix?.metres(to: Fix(latitude: point.latitude, longitude: point.longitude))
    }

    private func refused(
        _ reason: PatrolCheckInRefused.Reason,
        _ distance: Double?,
        on round: RoundID?
    ) -> PatrolEvent {
        .checkInRefused(
            PatrolCheckInRefused(
                guardID: guardID,
                reason: reason,
                distanceMetres: distance.map { .open($0, of: guardPerson) },
                round: round
            )
        )
    }

    private func checkedIn(_ distance: Double?, on round: RoundID?) -> PatrolCheckedIn {
        PatrolCheckedIn(
            guardID: guardID,
            guardPerson: guardPerson,
            fix: fix.map { .open($0, of: guardPerson) },
            distanceMetres: distance.map { .open($0, of: guardPerson) },
            offline: sending == .later,
            note: note.map { .open($0, of: guardPerson) },
            round: round
        )
    }
}
