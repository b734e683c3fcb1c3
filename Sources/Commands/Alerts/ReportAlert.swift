// SPDX-License-Identifier: Apache-2.0
public import Events

/// Records what the outside reports of a part that it was handed.
///
/// Reports come late, twice and in any order: one that says less than an earlier one changes nothing.
public struct ReportAlert: Command {
    public let alert: AlertID
    public let report: AlertReported

    public init(_ alert: AlertID, _ report: AlertReported) {
        self.alert = alert
        self.report = report
    }

    public typealias Refusal = AlertAttemptRefusal

    public var subject: Subject { .alert(alert) }

    public func read(_ ledger: inout LedgerView) throws -> Alert {
        try ledger.read(Alert.self, alert)
    }

    public func decide(
        _ state: Alert,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard state.isQueued else { throw .unknown(alert) }
        guard let part = state.parts[report.channel] else {
            throw .noSuchPart(alert, report.channel)
        }
        let begun = part.attempts + (part.isUnderWay ? 1 : 0)
        guard report.attempt >= 1, report.attempt <= begun else {
            throw .notNext(alert, report.channel, expected: begun)
        }
        guard report.outcome.rank > part.report?.rank ?? -1 else { return .already(()) }
        return .record([.alert(alert, .reported(report))])
    }
}
