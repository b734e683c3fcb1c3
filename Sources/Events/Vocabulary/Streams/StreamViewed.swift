// SPDX-License-Identifier: Apache-2.0
/// Somebody watched; at most once a minute for each viewer and mode.
public struct StreamViewed: EventPayload {
    public static let kind: Kind = "stream.viewed/1"

    public let viewer: Actor
    public let mode: Mode
    public let fromMilliseconds: Int?
    public let toMilliseconds: Int?

    public init(
        viewer: Actor,
        mode: Mode,
        fromMilliseconds: Int? = nil,
        toMilliseconds: Int? = nil
    ) {
        self.viewer = viewer
        self.mode = mode
        self.fromMilliseconds = fromMilliseconds
        self.toMilliseconds = toMilliseconds
    }

    /// How.
    public enum Mode: String, Codable, Hashable, Sendable, CaseIterable {
        case live
        case seekBack = "seek_back"
        case recorded
        case still
    }
}
