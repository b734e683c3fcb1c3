// SPDX-License-Identifier: Apache-2.0
public import Events

/// One attempt to deliver a part of an alert failed, or its end is unknown.
public struct RecordAlertFailed: Command {
    public let alert: AlertID
    public let channel: AlertChannel
    /// From 1.
    public let attempt: Int
    public let permanence: AlertFailed.Permanence
    public let error: String

    public init(
        _ alert: AlertID,
        by channel: AlertChannel,
        attempt: Int,
        permanence: AlertFailed.Permanence,
        error: String
    ) {
        self.alert = alert
        self.channel = channel
        self.attempt = attempt
        self.permanence = permanence
        self.error = error
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
            optional: error,
            "error",
            bytesMax: CommandLimits.noteBytesMax,
            else: Refusal.unacceptable
        )
        _ = try state.part(channel, attempt: attempt)
        let failed = AlertFailed(
            channel: channel,
            attempt: attempt,
            permanence: permanence,
            error: error
        )
        return .record([.alert(alert, .failed(failed))])
    }
}
