// SPDX-License-Identifier: Apache-2.0
/// The operator asked the caller for something.
public struct SessionRequestSent: EventPayload {
    public static let kind: Kind = "session.request_sent/1"

    public let request: RequestID
    public let ask: Ask
    /// When the request becomes stale.
    public let expiresAt: Timestamp?

    public init(request: RequestID, ask: Ask, expiresAt: Timestamp? = nil) {
        self.request = request
        self.ask = ask
        self.expiresAt = expiresAt
    }

    /// What is asked.
    public enum Ask: String, Codable, Hashable, Sendable, CaseIterable {
        case startVideo = "start_video"
        case stopVideo = "stop_video"
        case sendLocation = "send_location"
    }
}
