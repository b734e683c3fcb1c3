// SPDX-License-Identifier: Apache-2.0
/// Nothing arrived for a while, or the connection broke.
public struct StreamInterrupted: EventPayload {
    public static let kind: Kind = "stream.interrupted/1"

    public let reason: Reason

    public init(reason: Reason) {
        self.reason = reason
    }

    /// Why.
    public enum Reason: String, Codable, Hashable, Sendable, CaseIterable {
        case silence
        case disconnected
    }
}
