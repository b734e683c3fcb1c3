// SPDX-License-Identifier: Apache-2.0
/// There is time in the recording for which no video arrived.
public struct StreamGapDetected: EventPayload {
    public static let kind: Kind = "stream.gap_detected/1"

    public let fromMilliseconds: Int
    public let toMilliseconds: Int
    public let cause: String

    public init(fromMilliseconds: Int, toMilliseconds: Int, cause: String) {
        self.fromMilliseconds = fromMilliseconds
        self.toMilliseconds = toMilliseconds
        self.cause = cause
    }
}
