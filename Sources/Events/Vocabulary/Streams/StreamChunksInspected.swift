// SPDX-License-Identifier: Apache-2.0
/// A decoder looked at every frame of some chunks.
public struct StreamChunksInspected: EventPayload {
    public static let kind: Kind = "stream.chunks_inspected/1"

    public let firstChunk: Int
    public let lastChunk: Int
    public let outcome: Outcome
    public let frames: Int
    public let undecodable: Int
    public let width: Int
    public let height: Int
    /// 0 is black, 255 white; none if nothing was decoded.
    public let meanLuma: Double?
    /// Digest of the small picture in the blob store.
    public let thumbnail: SHA256Digest?

    public init(
        firstChunk: Int,
        lastChunk: Int,
        outcome: Outcome,
        frames: Int,
        undecodable: Int,
        width: Int,
        height: Int,
        meanLuma: Double? = nil,
        thumbnail: SHA256Digest? = nil
    ) {
        self.firstChunk = firstChunk
        self.lastChunk = lastChunk
        self.outcome = outcome
        self.frames = frames
        self.undecodable = undecodable
        self.width = width
        self.height = height
        self.meanLuma = meanLuma
        self.thumbnail = thumbnail
    }

    /// Whether the decoder lived through it.
    public enum Outcome: String, Codable, Hashable, Sendable, CaseIterable {
        case decoded
        case crashed
        case timedOut = "timed_out"
    }
}
