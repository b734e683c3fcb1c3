// SPDX-License-Identifier: Apache-2.0
/// A side came back to an open session after an interruption.
public struct SessionResumed: EventPayload {
    public static let kind: Kind = "session.resumed/1"

    public let by: Party
    /// How long that side was away, if known.
    public let gapMilliseconds: Int?

    public init(by: Party, gapMilliseconds: Int? = nil) {
        self.by = by
        self.gapMilliseconds = gapMilliseconds
    }
}
