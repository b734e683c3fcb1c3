// SPDX-License-Identifier: Apache-2.0
public import Events

/// Gives a report to another agency, by a user or because the one before did not acknowledge it in time.
public struct AssignReport: Command {
    public let report: ReportID
    public let assignment: ReportAssigned
    /// The agency that has it, as whoever asks knows it; `nil` asks whatever came meanwhile.
    public let instead: AgencyID?

    public init(_ report: ReportID, _ assignment: ReportAssigned, instead: AgencyID? = nil) {
        (self.report, self.assignment, self.instead) = (report, assignment, instead)
    }

    /// Why it stays with whom it is.
    public enum Refusal: CommandRefusal {
        case unknown(ReportID)
        case over(ReportID)
        case overtaken(ReportID)
        case unknownAgency(AgencyID)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .unknown(let id): .unknown(id, attempt: "assigning the report")
            case .over(let id): .over(id, attempt: "assigning")
            case .overtaken(let id):
                Problem(
                    .conflict,
                    "report-taken-meanwhile",
                    "assigning report \(id) refused: somebody acknowledged it, or it went to another agency; look at it again",
                    facts: ["report": "\(id)"]
                )
            case .unknownAgency(let id):
                Problem(
                    .unprocessable,
                    "agency-not-in-use",
                    "assigning refused: there is no agency \(id) in use; choose one of the list",
                    facts: ["agency": "\(id)"]
                )
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { .report(report) }

    /// What the decision goes by.
    public struct State {
        let report: Report
        let agency: Agency
    }

    public func read(_ ledger: inout LedgerView) throws -> State {
        State(
            report: try ledger.read(Report.self, report),
            agency: try ledger.glance(Agency.self, assignment.agency)
        )
    }

    public func decide(
        _ state: State,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard state.report.status != nil else { throw .unknown(report) }
        guard !state.report.isOver else { throw .over(report) }
        guard state.agency.isActive, state.agency.organisation == context.organisation else {
            throw .unknownAgency(assignment.agency)
        }
        let current = state.report.assignment?.fact.agency
        if let instead, instead != current || state.report.status != .submitted {
            throw .overtaken(report)
        }
        guard current != assignment.agency else { return .already(()) }
        if case .open(let words, _) = assignment.reason {
            try InputFault.check(
                words,
                "reason",
                bytesMax: CommandLimits.noteBytesMax,
                else: Refusal.unacceptable
            )
        }
        return .record([.report(report, .assigned(assignment))])
    }
}
