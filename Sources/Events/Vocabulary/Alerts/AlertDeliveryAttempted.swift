// SPDX-License-Identifier: Apache-2.0
/// One attempt to deliver begins; on disk before anybody outside is asked.
public struct AlertDeliveryAttempted: EventPayload {
    public static let kind: Kind = "alert.delivery_attempted/1"

    public let channel: AlertChannel
    public let attempt: Int

    public init(channel: AlertChannel, attempt: Int) {
        self.channel = channel
        self.attempt = attempt
    }
}
