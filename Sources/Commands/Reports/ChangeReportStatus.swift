// SPDX-License-Identifier: Apache-2.0
public import Events

/// A rescuer moves a report along by the transitions of ruling 25, takes back the last step, or takes up again what was over.
public struct ChangeReportStatus: Command {
    public let report: ReportID
    public let to: ReportStatus
    public let by: UserID
    public let note: String?

    public init(of report: ReportID, to: ReportStatus, by: UserID, note: String? = nil) {
        self.report = report
        self.to = to
        self.by = by
        self.note = note
    }

    /// Why it stays as it is.
    public enum Refusal: CommandRefusal {
        case unknown(ReportID)
        case notAllowed(ReportID, from: ReportStatus, to: ReportStatus)
        case joined(ReportID, to: ReportID)
        case reporterErased(ReportID)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .unknown(let id): .unknown(id, attempt: "changing the status")
            case .notAllowed(let id, let from, let to): .transition(of: id, from: from, to: to)
            case .joined(let id, let main):
                Problem(
                    .conflict,
                    "report-joined",
                    "changing report \(id) refused: report \(main) goes on for both; change that one",
                    facts: ["report": "\(id)", "joinedTo": "\(main)"]
                )
            case .reporterErased(let id):
                ReportAdditionRefusal.reporterErased(id).problem
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { .report(report) }

    public func read(_ ledger: inout LedgerView) throws -> ReportAdditionState {
        try ReportAdditionState(report, &ledger)
    }

    public func decide(
        _ state: ReportAdditionState,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try InputFault.check(
            optional: note,
            "note",
            bytesMax: CommandLimits.noteBytesMax,
            else: Refusal.unacceptable
        )
        guard let from = state.report.status, let reporter = state.reporter else {
            throw .unknown(report)
        }
        if let main = state.report.joinedTo { throw .joined(report, to: main) }
        guard state.report.mayGo(to: to) else { throw .notAllowed(report, from: from, to: to) }
        // A note is encrypted for the reporter.
        guard note == nil || !reporter.isErased else { throw .reporterErased(report) }
        let changed = ReportStatusChanged(
            from: from,
            to: to,
            by: by,
            note: note.map { .open($0, of: reporter.id) }
        )
        return .record([.report(report, .statusChanged(changed))])
    }
}

extension Problem {
    fileprivate static func transition(
        of report: ReportID,
        from: ReportStatus,
        to: ReportStatus
    ) -> Problem {
        let allowed = from.successors.map(\.rawValue).joined(separator: ", ")
        return Problem(
            .conflict,
            "report-transition-not-allowed",
            "changing report \(report) to \(to.rawValue) refused: it is \(from.rawValue); go on to \(allowed)",
            facts: [
                "report": "\(report)", "from": from.rawValue, "to": to.rawValue,
                "allowed": allowed,
            ]
        )
    }
}
