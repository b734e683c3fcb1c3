// SPDX-License-Identifier: Apache-2.0
public import Events

/// Says that a report is about the animal of another one, which goes on for both; or that it is not, after all.
public struct JoinReport: Command {
    public let report: ReportID
    /// The one that goes on; `nil` for a report of its own again.
    public let other: ReportID?
    public let by: UserID

    public init(_ report: ReportID, to other: ReportID?, by user: UserID) {
        (self.report, self.other, self.by) = (report, other, user)
    }

    /// Why it stays as it is.
    public enum Refusal: CommandRefusal {
        case unknown(ReportID)
        case itself(ReportID)
        case otherJoined(ReportID, to: ReportID)

        public var problem: Problem {
            switch self {
            case .unknown(let id): .unknown(id, attempt: "joining the reports")
            case .itself(let id):
                Problem(
                    .unprocessable,
                    "report-joined-to-itself",
                    "joining report \(id) refused: it is the same report; name the other one",
                    facts: ["report": "\(id)"]
                )
            case .otherJoined(let id, let main):
                Problem(
                    .conflict,
                    "report-joined-before",
                    "joining refused: report \(id) was itself joined to \(main); join to that one",
                    facts: ["report": "\(id)", "joinedTo": "\(main)"]
                )
            }
        }
    }

    public var subject: Subject { .report(report) }

    /// What the decision goes by.
    public struct State {
        let report: Report
        let other: Report?
    }

    public func read(_ ledger: inout LedgerView) throws -> State {
        State(
            report: try ledger.read(Report.self, report),
            other: try other.map { try ledger.read(Report.self, $0) }
        )
    }

    public func decide(
        _ state: State,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard let organisation = state.report.cause?.organisation else { throw .unknown(report) }
        guard state.report.joinedTo != other else { return .already(()) }
        guard let other else {
            return .record([.report(report, .separated(ReportSeparated(by: by)))])
        }
        guard other != report else { throw .itself(report) }
        guard state.other?.cause?.organisation == organisation else { throw .unknown(other) }
        // So that none leads back to itself.
        if let main = state.other?.joinedTo { throw .otherJoined(other, to: main) }
        return .record([.report(report, .joined(ReportJoined(into: other, by: by)))])
    }
}
