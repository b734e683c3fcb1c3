// SPDX-License-Identifier: Apache-2.0
/// The stream ended.
public struct StreamStopped: EventPayload {
    public static let kind: Kind = "stream.stopped/1"

    public let session: SessionID
    public let by: Party
    public let reason: String
    public let durationMilliseconds: Int
    public let chunks: Int
    public let bytes: Int

    public init(
        session: SessionID,
        by: Party,
        reason: String,
        durationMilliseconds: Int,
        chunks: Int,
        bytes: Int
    ) {
        self.session = session
        self.by = by
        self.reason = reason
        self.durationMilliseconds = durationMilliseconds
        self.chunks = chunks
        self.bytes = bytes
    }

    public var links: [SubjectLink] {
        [.about(.session(session))]
    }
}
