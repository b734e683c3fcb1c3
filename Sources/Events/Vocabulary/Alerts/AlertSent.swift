// SPDX-License-Identifier: Apache-2.0
/// A real server took one part of the alert.
public struct AlertSent: EventPayload {
    public static let kind: Kind = "alert.sent/1"

    public let channel: AlertChannel
    public let attempt: Int
    /// The server's own id for it.
    public let providerID: String

    public init(channel: AlertChannel, attempt: Int, providerID: String) {
        self.channel = channel
        self.attempt = attempt
        self.providerID = providerID
    }
}
