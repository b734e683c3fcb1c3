// SPDX-License-Identifier: Apache-2.0
public import Events

/// An attempt to deliver a part of an alert begins; recorded before anybody outside is asked.
///
/// After a crash an attempt that began and has no end is known to be unknown.
public struct BeginAlertAttempt: Command {
    public let alert: AlertID
    public let channel: AlertChannel
    /// From 1; the next one.
    public let attempt: Int

    public init(_ alert: AlertID, by channel: AlertChannel, attempt: Int) {
        self.alert = alert
        self.channel = channel
        self.attempt = attempt
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
        let part = try state.part(channel, attempt: attempt)
        guard !part.isUnderWay else { throw .underWay(alert, channel) }
        let begun = AlertDeliveryAttempted(channel: channel, attempt: attempt)
        return .record([.alert(alert, .deliveryAttempted(begun))])
    }
}
