// SPDX-License-Identifier: Apache-2.0
public import Events

/// A guard's call for help, and who took it up.
public struct GuardAlarm: Fold {
    public let id: GuardAlarmID
    /// The event that raised it; `nil` before.
    public private(set) var raised: Cause?
    /// Who took it up; `nil` while nobody did.
    public private(set) var answeredBy: UserID?
    /// The incident that it became when it was taken up; `nil` for one taken up before alarms opened any.
    public private(set) var incident: IncidentID?

    public init(_ id: GuardAlarmID) {
        self.id = id
    }

    public static func source(of id: GuardAlarmID) -> FoldSource { .subject(.guardAlarm(id)) }

    var isRaised: Bool { raised != nil }

    /// Takes in an event of the alarm's subject.
    public mutating func apply(_ event: RecordedEvent) {
        switch event.fact {
        case .patrol(.guardAlarmRaised): raised = raised ?? Cause(event.envelope)
        case .patrol(.guardAlarmAnswered(let answered)) where answeredBy == nil:
            (answeredBy, incident) = (answered.by, answered.incident)
        default: break
        }
    }
}

/// A guard calls for help; nothing can refuse it but a place that is none.
public struct RaiseGuardAlarm: Command {
    public typealias Outcome = GuardAlarmID

    public let alarm: GuardAlarmID
    public let guardID: UserID
    public let guardPerson: PersonID
    public let fix: Fix?

    public init(
        _ alarm: GuardAlarmID,
        by guardID: UserID,
        person guardPerson: PersonID,
        at fix: Fix?
    ) {
        self.alarm = alarm
        self.guardID = guardID
        self.guardPerson = guardPerson
        self.fix = fix
    }

    /// Why it was not raised.
    public enum Refusal: CommandRefusal {
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { .guardAlarm(alarm) }

    public func read(
        _ ledger: inout LedgerView
    ) throws -> (alarm: GuardAlarm, active: ActiveRound) {
        (try ledger.read(GuardAlarm.self, alarm), try ledger.read(ActiveRound.self, guardID))
    }

    public func decide(
        _ state: (alarm: GuardAlarm, active: ActiveRound),
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<GuardAlarmID> {
        try InputFault.check(fix, else: Refusal.unacceptable)
        guard !state.alarm.isRaised else { return .already(alarm) }
        let raised = GuardAlarmRaised(
            guardID: guardID,
            guardPerson: guardPerson,
            fix: fix.map { .open($0, of: guardPerson) },
            round: state.active.round
        )
        return .record([.guardAlarm(alarm, .guardAlarmRaised(raised))])
    }

    public func outcome(of recorded: [Write]) throws(Refusal) -> GuardAlarmID? {
        recorded.first(GuardAlarmRaised.self).flatMap { GuardAlarmID(String($0.subject.name)) }
    }
}

/// Somebody takes up a guard's alarm, which opens an incident with the alarm's UUID.
public struct AnswerGuardAlarm: Command {
    public let alarm: GuardAlarmID
    public let by: UserID

    public init(_ alarm: GuardAlarmID, by: UserID) {
        self.alarm = alarm
        self.by = by
    }

    /// Why it was not taken up.
    public enum Refusal: CommandRefusal {
        case unknown(GuardAlarmID)
        case answered(GuardAlarmID, by: UserID)

        public var problem: Problem {
            switch self {
            case .unknown(let alarm):
                Problem(
                    .notFound,
                    "guard-alarm-unknown",
                    "answer refused: there is no alarm \(alarm); look at the board",
                    facts: ["alarm": "\(alarm)"]
                )
            case .answered(let alarm, let user):
                Problem(
                    .conflict,
                    "guard-alarm-answered",
                    "answer refused: \(user) took up alarm \(alarm) before; ask them",
                    facts: ["alarm": "\(alarm)", "by": "\(user)"]
                )
            }
        }
    }

    public var subject: Subject { .guardAlarm(alarm) }

    public func read(_ ledger: inout LedgerView) throws -> GuardAlarm {
        try ledger.read(GuardAlarm.self, alarm)
    }

    public func decide(
        _ state: GuardAlarm,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard state.isRaised else { throw .unknown(alarm) }
        switch state.answeredBy {
        case nil:
            let incident = IncidentID(alarm.uuid)
            return .record([
                .guardAlarm(alarm, .guardAlarmAnswered(.init(by: by, incident: incident))),
                .incident(incident, .opened(IncidentOpened(type: "guard_alarm", priority: 1))),
            ])
        case by: return .already(())
        case let other?: throw .answered(alarm, by: other)
        }
    }
}
