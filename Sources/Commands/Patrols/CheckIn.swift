// SPDX-License-Identifier: Apache-2.0
public import Events

/// A guard scanned a point's code; the gateway has checked the code under the point's secret.
///
/// What is refused is recorded too (ruling 26): a forged code, a scan from afar, a scan repeated
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
    public enum CodeVerdict: Hashable, Sendable, CaseIterable {
        case genuine
        case forged
    }

    /// When the scan reached the gateway.
    public enum Sending: Hashable, Sendable, CaseIterable {
        case atOnce
        /// Kept on the device and sent later; the context's `occurredAt` is the scan's moment.
        case later
    }

    /// Why the scan does not count; the first three are recorded.
    public enum Refusal: CommandRefusal {
        case badCode(PatrolPointID)
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

    public func read(_ ledger: inout LedgerView) throws -> (point: PatrolPoint, window: Duration) {
        let seconds = try ledger.read(Policy.self, Self.policy).settings["intervalSeconds"]
        return (
            try ledger.read(PatrolPoint.self, point),
            .seconds(seconds ?? CommandLimits.checkInIntervalSeconds)
        )
    }

    public func decide(
        _ state: (point: PatrolPoint, window: Duration),
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try checkInput()
        let moment = sending == .later ? context.occurredAt ?? context.now : context.now
        try checkTime(moment, now: context.now)
        // A point of another organisation is none: nothing is written into that one's history.
        guard let definition = state.point.definition,
            state.point.organisation == context.organisation
        else {
            return .record([.patrol(guard: guardID, refused(.badCode, nil))])
        }
        let distance = distance(to: definition)
        let reason: PatrolCheckInRefused.Reason? =
            if code == .forged {
                .badCode
            } else if let distance, distance > definition.radiusMetres {
                .tooFar
            } else if state.point.isRepetition(by: guardID, at: moment, within: state.window) {
                .duplicate
            } else {
                nil
            }
        if let reason { return .record([.patrol(point, refused(reason, distance))]) }
        return .record([.patrol(point, .checkedIn(checkedIn(distance)))])
    }

    public func outcome(of recorded: [Write]) throws(Refusal) -> Void? {
        guard let refused = recorded.first(PatrolCheckInRefused.self)?.payload else { return () }
        switch refused.reason {
        case .badCode: throw .badCode(point)
        case .tooFar: throw .tooFar(point)
        case .duplicate: throw .duplicate(point)
        }
    }
}

extension CheckIn {
    private func checkInput() throws(Refusal) {
        try InputFault.check(
            fix?.isPlausible ?? true,
            "fix",
            "the place",
            allowed: "on Earth, with an accuracy and speed of 0 or more",
            else: Refusal.unacceptable
        )
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

    private func distance(to point: PatrolPointDefined) -> Double? {
        fix.map {
            greatCircleMetres(
                from: ($0.latitude, $0.longitude),
                to: (point.latitude, point.longitude)
            )
        }
    }

    private func refused(
        _ reason: PatrolCheckInRefused.Reason,
        _ distance: Double?
    ) -> PatrolEvent {
        .checkInRefused(
            PatrolCheckInRefused(
                guardID: guardID,
                reason: reason,
                distanceMetres: distance.map { .open($0, of: guardPerson) }
            )
        )
    }

    private func checkedIn(_ distance: Double?) -> PatrolCheckedIn {
        PatrolCheckedIn(
            guardID: guardID,
            guardPerson: guardPerson,
            fix: fix.map { .open($0, of: guardPerson) },
            distanceMetres: distance.map { .open($0, of: guardPerson) },
            offline: sending == .later,
            note: note.map { .open($0, of: guardPerson) }
        )
    }
}
