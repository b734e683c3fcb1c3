// SPDX-License-Identifier: Apache-2.0
public import Events

/// What of an alert has not gone out yet goes out no more.
public struct CancelAlert: Command {
    public let alert: AlertID
    public let reason: AlertCancelled.Reason

    public init(_ alert: AlertID, _ reason: AlertCancelled.Reason) {
        self.alert = alert
        self.reason = reason
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
        guard !state.isOver else { return .already(()) }
        return .record([.alert(alert, .cancelled(AlertCancelled(reason)))])
    }
}
