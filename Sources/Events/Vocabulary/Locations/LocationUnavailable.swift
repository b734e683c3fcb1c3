// SPDX-License-Identifier: Apache-2.0
/// The caller's device could not tell its place.
public struct LocationUnavailable: EventPayload {
    public static let kind: Kind = "location.unavailable/1"

    public let reason: Reason
    public let request: RequestID?

    public init(reason: Reason, request: RequestID? = nil) {
        self.reason = reason
        self.request = request
    }

    /// Why.
    public enum Reason: String, Codable, Hashable, Sendable, CaseIterable {
        case denied
        case timeout
        case stale
    }
}
