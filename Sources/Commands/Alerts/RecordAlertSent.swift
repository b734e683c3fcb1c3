// SPDX-License-Identifier: Apache-2.0
public import Events

/// A real server took one part of an alert.
public struct RecordAlertSent: Command {
    public let alert: AlertID
    public let channel: AlertChannel
    /// From 1.
    public let attempt: Int
    /// The server's own id for it.
    public let providerID: String

    public init(_ alert: AlertID, by channel: AlertChannel, attempt: Int, providerID: String) {
        self.alert = alert
        self.channel = channel
        self.attempt = attempt
        self.providerID = providerID
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
        try InputFault.check(
            optional: providerID,
            "providerID",
            bytesMax: CommandLimits.noteBytesMax,
            else: Refusal.unacceptable
        )
        _ = try state.part(channel, attempt: attempt)
        let sent = AlertSent(channel: channel, attempt: attempt, providerID: providerID)
        return .record([.alert(alert, .sent(sent))])
    }
}
