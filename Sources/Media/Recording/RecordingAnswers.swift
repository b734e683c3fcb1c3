// SPDX-License-Identifier: Apache-2.0

/// What became of bytes that were accepted.
public struct Acceptance: Hashable, Sendable {
    /// The chunks that are now on the disk, to be logged.
    ///
    /// Those of other parts may be among them.
    public let chunks: [ArchivedChunk]
    /// How many bytes of the part have been received, in memory or on the disk.
    public let received: UInt64
    /// The bytes of the part below this offset are on the disk.
    ///
    /// Acknowledge it after logging ``chunks``.
    public let through: UInt64
}

/// How far a part has come.
public struct PartProgress: Hashable, Sendable {
    public let received: UInt64
    public let through: UInt64
    public let hasEnded: Bool
}

/// What opening a recording found.
public struct RecoveredRecording {
    /// The writer, ready to go on.
    public let writer: RecordingWriter
    /// Whole chunks in the file that the ledger did not know: log them now, in this order.
    public let unlogged: [ArchivedChunk]
    /// How many bytes of a torn cluster were cut off the end.
    public let tornBytes: UInt64
    /// What was taken out of the recording because neither the ledger nor a seal vouches for it; `nil` if nothing was.
    public let setAside: SetAside?
}

/// A recording that is complete.
public struct FinishedRecording: Hashable, Sendable {
    public let path: String
    /// The length of the file in bytes.
    public let length: UInt64
    /// The SHA-256 of the whole file, in lower-case hexadecimal.
    public let sha256: String
    /// From 0 to the end of the last frame, in milliseconds.
    public let milliseconds: Int64
    public let chunks: Int
    /// How many key-frame chunks there are; the file's Cues name them all, or evenly thinned ones.
    public let keyFrameChunks: Int
    /// What somebody wrote behind the last chunk while it was open, which is taken out of the file; `nil` if nobody did.
    public let setAside: SetAside?
}
