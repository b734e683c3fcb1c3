// SPDX-License-Identifier: Apache-2.0
/// Video arrives again after an interruption.
public struct StreamResumed: EventPayload {
    public static let kind: Kind = "stream.resumed/1"

    public let gapMilliseconds: Int
    /// The part that continues or begins.
    public let part: Int

    public init(gapMilliseconds: Int, part: Int) {
        self.gapMilliseconds = gapMilliseconds
        self.part = part
    }
}
