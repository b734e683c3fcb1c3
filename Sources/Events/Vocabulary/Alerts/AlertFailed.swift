// SPDX-License-Identifier: Apache-2.0
/// One attempt to deliver failed.
public struct AlertFailed: EventPayload {
    public static let kind: Kind = "alert.failed/1"

    public let channel: AlertChannel
    public let attempt: Int
    public let permanence: Permanence
    public let error: String
    /// How long to wait before the next attempt, where there is to be one.
    public let retryAfterSeconds: Int?

    public init(
        channel: AlertChannel,
        attempt: Int,
        permanence: Permanence,
        error: String,
        retryAfterSeconds: Int? = nil
    ) {
        self.channel = channel
        self.attempt = attempt
        self.permanence = permanence
        self.error = error
        self.retryAfterSeconds = retryAfterSeconds
    }

    /// Whether another attempt may help.
    public enum Permanence: String, Codable, Hashable, Sendable, CaseIterable {
        case temporary
        case permanent
        case unknown
    }
}
