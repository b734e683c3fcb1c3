// SPDX-License-Identifier: Apache-2.0
/// A side did something that the other should notice before any message.
public struct SessionActivitySignalled: EventPayload {
    public static let kind: Kind = "session.activity_signalled/1"

    public let by: Party
    public let activity: Activity
    /// Which stream, for `streaming`.
    public let stream: StreamID?

    public init(by: Party, activity: Activity, stream: StreamID? = nil) {
        self.by = by
        self.activity = activity
        self.stream = stream
    }

    /// What that side did; `streaming` stands beside a `stream.started`.
    public enum Activity: String, Codable, Hashable, Sendable, CaseIterable {
        case typing
        case opened
        case streaming
    }
}
