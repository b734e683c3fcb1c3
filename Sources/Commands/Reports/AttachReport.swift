// SPDX-License-Identifier: Apache-2.0
public import Events

/// Says that a report belongs to an incident, whose timeline shows it from then on; or that it does no longer.
public struct AttachReport: Command {
    public let report: ReportID
    /// `nil` for a report of no incident again.
    public let incident: IncidentID?
    public let by: UserID

    public init(_ report: ReportID, to incident: IncidentID?, by user: UserID) {
        (self.report, self.incident, self.by) = (report, incident, user)
    }

    /// Why it stays where it is.
    public enum Refusal: CommandRefusal {
        case unknown(ReportID)
        case incidentUnknown(IncidentID)
        case incidentMerged(IncidentID, into: IncidentID)

        public var problem: Problem {
            switch self {
            case .unknown(let id): .unknown(id, attempt: "attaching the report")
            case .incidentUnknown(let id):
                .incidentUnknown(id, attempt: "attaching a report")
            case .incidentMerged(let id, let into):
                .incidentMerged(id, into: into, attempt: "attaching a report")
            }
        }
    }

    public var subject: Subject { .report(report) }

    /// What the decision goes by.
    public struct State {
        let report: Report
        let incident: Incident?
    }

    public func read(_ ledger: inout LedgerView) throws -> State {
        State(
            report: try ledger.read(Report.self, report),
            incident: try incident.map { try ledger.read(Incident.self, $0) }
        )
    }

    public func decide(
        _ state: State,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard let organisation = state.report.cause?.organisation else { throw .unknown(report) }
        guard state.report.incident != incident else { return .already(()) }
        guard let incident else {
            return .record([.report(report, .detached(ReportDetached(by: by)))])
        }
        guard state.incident?.organisation == organisation else {
            throw .incidentUnknown(incident)
        }
        if let into = state.incident?.merger?.into { throw .incidentMerged(incident, into: into) }
        return .record([.report(report, .attached(ReportAttached(to: incident, by: by)))])
    }
}
