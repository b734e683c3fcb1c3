// SPDX-License-Identifier: Apache-2.0

/// One picture as a WebM block carries it.
public struct VideoFrame: Hashable, Sendable {
    /// The time in the stream, in milliseconds.
    public let milliseconds: Int64
    /// Whether the container claims a key frame.
    ///
    /// ``FrameHeader`` tells the truth.
    public let isMarkedKey: Bool
    /// What the codec wrote.
    public let bytes: [UInt8]
    /// Where the bytes begin in the stream that was parsed.
    public let payloadOffset: UInt64
    /// Where parsing goes on after this frame.
    public let next: ParserPosition
}

/// Where a parser stands between two frames, so that another can go on there after a restart.
public struct ParserPosition: Hashable, Sendable {
    /// The byte offset in the stream.
    public let offset: UInt64
    public let track: VideoTrack
    /// Nanoseconds in one tick of the stream's timestamps.
    public let timestampScale: UInt64
    /// The timestamp of the cluster that is open, in ticks; `nil` between clusters.
    public let clusterTimestamp: UInt64?
    /// The offset at which the cluster ends; `nil` when its size is unknown.
    public let clusterEnd: UInt64?
    /// The offset at which the segment ends; `nil` when its size is unknown.
    public let segmentEnd: UInt64?
    /// Whether a cluster is open.
    public let isInCluster: Bool
}
