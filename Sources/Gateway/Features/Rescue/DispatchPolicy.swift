// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Projections
import Synchronization

/// Tells an agency's members on duty of a report that it got, on all their ways, and by a push who else is within 30 miles; gives the report to the next agency when nobody acknowledges
/// it in time; supervisors are told then.
struct DispatchPolicy: TimedPolicy {
    let ledger: Ledger
    /// Whom this process told: a restart tells them again, and records nothing twice.
    private let told = Told()

    init(ledger: Ledger) { self.ledger = ledger }

    var name: String { "report-dispatch" }
    var settings: [String: Int] { ["acknowledgeSeconds": Self.acknowledgeSeconds] }

    /// How long an agency has to acknowledge a report, unless the policy says otherwise.
    static let acknowledgeSeconds = 300
    /// How long a notice of a report is worth sending.
    private static let noticeSeconds = 3_600

    func act(at now: Timestamp, behind start: LogPosition) async throws {
        if let last = ledger.log.size.checkedPrevious {
            try await ledger.readModels.runner.wait(for: last, on: "reports")
        }
        let seconds =
            try ledger.handler.current(Policy.self, name).settings["acknowledgeSeconds"]
            ?? Self.acknowledgeSeconds
        let waiting = try await ledger.readModels.reports.unacknowledged()
        told.keep(waiting)
        for id in waiting {
            try await ledger.unlessDamaged {
                try await carryOn(id, at: now, after: start, .seconds(seconds))
            }
        }
    }

    private func carryOn(
        _ id: ReportID,
        at now: Timestamp,
        after start: LogPosition,
        _ patience: Duration
    ) async throws {
        let report = try await ledger.handler.settled(Report.self, id)
        guard report.status == .submitted, let assignment = report.assignment,
            assignment.cause.position > start
        else { return }
        let cause = assignment.cause
        try await tell(assignment.fact.agency, of: report, because: cause)
        try await tellNeighbours(of: assignment.fact.agency, report)
        guard now >= cause.time + patience else { return }
        try await tellSupervisors(of: report, because: cause)
        try await passOn(report, assignment.fact, because: cause)
    }

    private func tell(_ agency: AgencyID, of report: Report, because cause: Cause) async throws {
        let members = try ledger.handler.current(Agency.self, agency).members
        for user in members where try ledger.isOnDuty(user, in: cause.organisation) {
            try await tell(user, of: report, "report", because: cause)
        }
    }

    /// Once a report, when it is new.
    private func tellNeighbours(of agency: AgencyID, _ report: Report) async throws {
        guard let cause = report.cause, told.begin(report.id, "neighbours"),
            let place = try report.submitted?.fix.opened(with: ledger.keys.unrecorded(.compared))
                .value
        else { return }
        for other in try await ledger.agencies(of: cause.organisation) where other.id != agency {
            let from = try ledger.teamPlace(of: other)?.fix ?? other.definition?.base?.fix
            guard let from, from.metres(to: place) <= RescuerSight.reachMetres else { continue }
            for user in other.members where try ledger.isOnDuty(user, in: cause.organisation) {
                try await tell(user, of: report, "report-nearby", because: cause)
            }
        }
    }

    private func tellSupervisors(of report: Report, because cause: Cause) async throws {
        var users = try await ledger.supervisors(of: cause.organisation)
        // A small site has none; somebody is to hear of it.
        if users.isEmpty {
            users = try await ledger.onDuty([.organisationAdmin, .admin], in: cause.organisation)
        }
        for user in users {
            try await tell(user, of: report, "report-unanswered", because: cause)
        }
    }

    private func tell(
        _ user: UserID,
        of report: Report,
        _ template: String,
        because cause: Cause
    ) async throws {
        let step = "\(template)-\(user)"
        guard told.begin(report.id, "\(cause.event) \(step)") else { return }
        let agency = try report.assignment.map {
            try ledger.handler.current(Agency.self, $0.fact.agency)
        }
        guard let submitted = report.submitted,
            let command = try ledger.alert(
                to: user,
                about: .report(report.id),
                template == "report-nearby" ? .info : .critical,
                template,
                byPushAlone: template == "report-nearby",
                words: submitted.inWords,
                values: [
                    "link": "\(ledger.publicAddress)/rescue/\(report.id)",
                    "agency": agency?.definition?.name ?? "",
                ],
                key: "\(template) \(cause.event)",
                timeToLiveSeconds: Self.noticeSeconds
            )
        else { return }
        try await ledger.handle(command, of: name, because: cause, step: step)
    }

    private func passOn(
        _ report: Report,
        _ assigned: ReportAssigned,
        because cause: Cause
    ) async throws {
        let keys = ledger.keys.unrecorded(.compared)
        guard let submitted = report.submitted,
            let place = try submitted.fix.opened(with: keys).value
        else { return }
        let others = try await ledger.agencies(of: cause.organisation).filter {
            !report.agencies.contains($0.id)
        }
        // Who takes no reports now is not next: it stays with the one that had it first.
        let onDuty = others.filter { $0.definition?.takesReports ?? false }
        guard let next = AgencyChoice(for: place, submitted.species, among: onDuty) else { return }
        let command = AssignReport(
            report.id,
            next.assigned(at: place, as: .timeout),
            instead: assigned.agency
        )
        try await ledger.handle(command, of: name, because: cause, step: "next")
    }
}

/// Which steps were done for each report that waits.
private final class Told: Sendable {
    private let steps = Mutex<[ReportID: Set<String>]>([:])

    /// Takes up a step; not if it was.
    func begin(_ report: ReportID, _ step: String) -> Bool {
        steps.withLock { $0[report, default: []].insert(step).inserted }
    }

    /// Forgets the others.
    func keep(_ waiting: [ReportID]) {
        let waiting = Set(waiting)
        steps.withLock { steps in steps = steps.filter { waiting.contains($0.key) } }
    }
}

extension ReportSubmitted {
    /// The animal and how it fares, for a notice: `sea lion, injured`.
    fileprivate var inWords: String {
        let animal = species == "other" ? "animal" : species.replacing("-", with: " ")
        return "\(animal), \(condition.rawValue.replacing("_", with: " "))"
    }
}

extension Ledger {
    /// Whether somebody works for an organisation and is on duty now.
    func isOnDuty(_ user: UserID, in organisation: OrganisationID) throws -> Bool {
        let account = try handler.current(User.self, user)
        guard account.account?.organisation == organisation, !account.isDisabled else {
            return false
        }
        return try !handler.current(Reach.self, user).isOffDuty(at: now)
    }
}
