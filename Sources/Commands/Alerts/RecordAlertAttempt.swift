// SPDX-License-Identifier: Apache-2.0
public import Events

/// One attempt to deliver a part of an alert has ended, or its end is unknown.
public struct RecordAlertAttempt: Command {
    public let alert: AlertID
    public let end: End

    /// How it ended.
    public enum End: Hashable, Sendable {
        /// A real server took it.
        case sent(AlertSent)
        /// It failed, or nobody knows.
        case failed(AlertFailed)
    }

    public init(_ alert: AlertID, _ end: End) {
        self.alert = alert
        self.end = end
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
        switch end {
        case .sent(let sent):
            try Self.check(sent.providerID, "providerID")
            _ = try state.part(sent.channel, attempt: sent.attempt)
            return .record([.alert(alert, .sent(sent))])
        case .failed(let failed):
            try Self.check(failed.error, "error")
            _ = try state.part(failed.channel, attempt: failed.attempt)
            return .record([.alert(alert, .failed(failed))])
        }
    }

    private static func check(_ text: String, _ field: String) throws(Refusal) {
        try InputFault.check(
            optional: text,
            field,
            bytesMax: CommandLimits.noteBytesMax,
            else: Refusal.unacceptable
        )
    }
}
