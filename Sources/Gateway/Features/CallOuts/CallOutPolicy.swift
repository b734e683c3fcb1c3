// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Projections
import Synchronization

/// Carries call-outs on: opens those that something opens by itself, tells whom a step calls, goes on to the next step when
/// nobody answers.
struct CallOutPolicy: TimedPolicy {
    let ledger: Ledger
    /// Which steps this process has told: a restart tells them again, and records nothing twice.
    private let done = StepsDone()

    init(ledger: Ledger) { self.ledger = ledger }

    var name: String { "call-outs" }
    var settings: [String: Int] { [:] }

    func act(at now: Timestamp, behind start: LogPosition) async throws {
        let models = ledger.readModels
        if let last = ledger.log.size.checkedPrevious {
            for model in ["alert-queue", "check-ins"] {
                try await models.runner.wait(for: last, on: model)
            }
        }
        try await openForAlarms(behind: start)
        let open = try await models.alerts.openCallOuts()
        for row in open where row.position > start {
            try await ledger.unlessDamaged { try await carryOn(row.id, at: now) }
        }
        done.keep(open.map(\.id))
    }

    // MARK: - Opening

    private func openForAlarms(behind start: LogPosition) async throws {
        let chains = try await ledger.readModels.alerts.chains().compactMap { chain in
            try ledger.handler.current(Chain.self, .init(chain.name, of: chain.organisation))
        }.filter { $0.definition?.opensFor.contains(.guardAlarm) ?? false }
        for chain in chains {
            let organisation = chain.id.organisation
            let scope = Scope(organisation: organisation, reader: .everything)
            for alarm in try await ledger.readModels.checkIns.alarms(takenSince: nil, in: scope) {
                let known = try ledger.handler.current(Commands.GuardAlarm.self, alarm.id)
                guard let raised = known.raised, raised.position > start,
                    !(try await ledger.readModels.alerts.hasCallOut(about: .guardAlarm(alarm.id)))
                else { continue }
                let command = OpenCallOut(
                    by: chain.id,
                    about: .guardAlarm(alarm.id),
                    severity: .critical,
                    text: nil,
                    people: try await ledger.people(
                        of: chain.definition?.steps ?? [],
                        in: organisation
                    )
                )
                try await ledger.handle(
                    command,
                    of: name,
                    because: raised,
                    step: "open-\(chain.id.name)"
                )
            }
        }
    }

    // MARK: - Going on

    private func carryOn(_ id: CallOutID, at now: Timestamp) async throws {
        let callOut = try await ledger.handler.settled(CallOut.self, id)
        guard callOut.isOpen, let opened = callOut.opened, let cause = callOut.cause,
            let step = callOut.begun.last?.cause, let until = callOut.until
        else { return }
        if try isOver(opened.cause) {
            return try await ledger.handle(
                EndCallOut(id, .resolved, by: nil),
                of: name,
                because: cause,
                step: "resolve"
            )
        }
        if until <= now {
            let people = try await ledger.people(
                of: Array(opened.steps.dropFirst(callOut.step)),
                in: cause.organisation
            )
            let command = EscalateCallOut(id, after: callOut.step, .timeout, people: people)
            return try await ledger.handle(
                command,
                of: name,
                because: step,
                step: "after-\(callOut.step)"
            )
        }
        // A step may be over before it was told; whom it called is told all the same.
        for step in callOut.begun where done.begin(id, step: step.escalated.step) {
            try await tell(step, of: callOut, opened, in: cause.organisation)
        }
    }

    private func tell(
        _ step: CallOut.Begun,
        of callOut: CallOut,
        _ opened: CallOutOpened,
        in organisation: OrganisationID
    ) async throws {
        let people = step.escalated.people
        for user in people { try await tell(user, step, of: callOut, opened, "call-out") }
        guard step.escalated.cause == .timeout else { return }
        // Who supervises learns that nobody answered; whom the step calls learns it anyway.
        for user in try await ledger.supervisors(of: organisation) where !people.contains(user) {
            try await tell(user, step, of: callOut, opened, "call-out-unanswered")
        }
    }

    /// Whether what a call-out is about needs nobody any more.
    private func isOver(_ cause: Subject?) throws -> Bool {
        guard let cause, cause.category == "guard_alarm",
            let alarm = GuardAlarmID(String(cause.name))
        else { return false }
        return try ledger.handler.current(Commands.GuardAlarm.self, alarm).answeredBy != nil
    }

    private func tell(
        _ user: UserID,
        _ step: CallOut.Begun,
        of callOut: CallOut,
        _ opened: CallOutOpened,
        _ template: String
    ) async throws {
        let keys = ledger.keys.unrecorded(.delivered)
        let words = try opened.text?.opened(with: keys).value ?? opened.chain
        let number = step.escalated.step
        let life = max(60, opened.steps[max(0, number - 1)].waitSeconds)
        guard
            let command = try ledger.alert(
                to: user,
                about: .callOut(callOut.id),
                opened.severity,
                template,
                words: words,
                key: "step \(number)",
                timeToLiveSeconds: life
            )
        else { return }
        try await ledger.handle(command, of: name, because: step.cause, step: "\(template)-\(user)")
    }
}

/// Which step of each call-out was told.
private final class StepsDone: Sendable {
    private let steps = Mutex<[CallOutID: Set<Int>]>([:])

    /// Takes up a step; not if it was.
    func begin(_ id: CallOutID, step: Int) -> Bool {
        steps.withLock { $0[id, default: []].insert(step).inserted }
    }

    /// Forgets the others.
    func keep(_ open: [CallOutID]) {
        steps.withLock { steps in steps = steps.filter { open.contains($0.key) } }
    }
}

extension Ledger {
    /// The people of each step who are on duty now, in the order of its targets, nobody twice.
    ///
    /// - Throws: When rows or log cannot be read.
    func people(of steps: [CallOutStep], in organisation: OrganisationID) async throws -> [[UserID]]
    {
        let now = now
        func isOff(_ user: UserID) throws -> Bool {
            let account = try handler.current(User.self, user)
            guard account.account?.organisation == organisation, !account.isDisabled else {
                return true
            }
            return try handler.current(Reach.self, user).isOffDuty(at: now)
        }
        var all: [[UserID]] = []
        for step in steps {
            var people: [UserID] = []
            for target in step.targets {
                if let user = target.user, try !isOff(user) { people.append(user) }
                if let rota = target.rota,
                    let known = try handler.current(Rota.self, .init(rota, of: organisation))
                        .definition,
                    let user = try known.onDuty(at: now, passingOver: isOff)
                {
                    people.append(user)
                }
                if target.role != nil {
                    people += try await supervisors(of: organisation).filter { try !isOff($0) }
                }
            }
            var seen: Set<UserID> = []
            all.append(people.filter { seen.insert($0).inserted })
        }
        return all
    }

    /// Who supervises in an organisation, and is on duty.
    func supervisors(of organisation: OrganisationID) async throws -> [UserID] {
        try await onDuty([.supervisor], in: organisation)
    }

    /// Who has one of some roles in an organisation, and is on duty.
    func onDuty(_ roles: Set<Role>, in organisation: OrganisationID) async throws -> [UserID] {
        let scope = Scope(organisation: organisation, reader: .everything)
        return try await readModels.desk.operators(in: scope).filter { roles.contains($0.role) }
            .map(\.id).filter { user in
                try !handler.current(User.self, user).isDisabled
                    && !handler.current(Reach.self, user).isOffDuty(at: now)
            }
    }

    /// What tells a member of staff of something on all ways that they gave; `nil` where they gave none.
    func alert(
        to user: UserID,
        about cause: Subject,
        _ severity: AlertQueued.Severity,
        _ template: String,
        byPushAlone: Bool = false,
        words: String?,
        values: [String: String] = [:],
        key: String,
        timeToLiveSeconds: Int
    ) throws -> QueueAlert? {
        let reach = try handler.current(Reach.self, user)
        guard byPushAlone ? !reach.browsers.isEmpty : !reach.isEmpty,
            let person = try handler.current(User.self, user).account?.person
        else { return nil }
        let opening = keys.unrecorded(.delivered)
        let (phone, email) = (
            try reach.ways?.phone?.opened(with: opening).value,
            try reach.ways?.email?.opened(with: opening).value
        )
        return QueueAlert(
            about: cause,
            severity: severity,
            template: template,
            to: person,
            sms: byPushAlone ? nil : phone,
            email: byPushAlone ? nil : email,
            browser: reach.browsers.isEmpty ? nil : user,
            message: try message(
                template,
                in: reach.ways?.language ?? "en",
                words: words,
                values: values,
                severity
            ),
            deduplicationKey: key,
            timeToLiveSeconds: timeToLiveSeconds,
            openedWith: keys.unrecorded(.compared)
        )
    }
}
