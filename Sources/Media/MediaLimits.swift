// SPDX-License-Identifier: Apache-2.0

/// Every limit of this module, with its unit.
///
/// What lies beyond one is refused with its name.
public enum MediaLimits {
    /// The largest single picture, in bytes, that a WebM block may carry.
    public static let frameBytesMax = 8 << 20
    /// The largest head element (EBML, Info, Tracks), in bytes.
    public static let headElementBytesMax = 64 << 10
    /// The largest element without pictures (Cues, Tags, Void …), in bytes.
    public static let skippedElementBytesMax = 1 << 20
    /// The most bytes between two pictures of a part.
    public static let bytesBetweenFramesMax = 2 << 20
    /// The most entries read from a Tracks element.
    public static let tracksMax = 8
    /// The widest and highest picture, in pixels.
    public static let pictureSideMax = 4096
    /// The longest cluster that the archive writes, in milliseconds.
    public static let clusterMillisecondsMax: Int64 = 1000
    /// The shortest cluster that a key frame ends, in milliseconds, where the cluster begins with one itself.
    ///
    /// Each cluster is an event that is kept for ever, so key frames alone must not make them.
    public static let clusterMillisecondsMin: Int64 = 100
    /// The most frames in one cluster; a cluster is cut early when it would hold more.
    public static let clusterFramesMax = 1000
    /// The most picture bytes in one cluster; a cluster is cut early when it would hold more.
    public static let clusterBytesMax = 4 << 20
    /// The most parts in one recording: each one is a reload, a camera or a size.
    public static let partsMax = 10_000
    /// The longest recording, in milliseconds (seven days).
    public static let recordingMillisecondsMax: Int64 = 7 * 24 * 3_600_000
    /// A frame so much before the one that came before it takes that one's time, in milliseconds; more is a leap of the sender's clock.
    public static let stepBackMillisecondsMax: Int64 = 100
    /// A step ahead by less is no leap, wherever it leads: the sender filmed nothing meanwhile, in milliseconds.
    public static let leapMillisecondsMin: Int64 = 60_000
    /// The chunks that the recordings of one allowance may make at once, before the clock counts: twenty minutes of video.
    public static let chunksAtOnceMax = 1200
    /// The time after which these recordings may make one more chunk, in milliseconds.
    ///
    /// Half of ``clusterMillisecondsMin``: no live picture comes near it, and a file may come at 20 times its pace.
    public static let chunkIntervalMilliseconds: Int64 = 50
    /// The most bytes of a recording, of all its parts, that wait in memory for their picture or cluster to be whole.
    ///
    /// One cluster and the largest picture fit, and torn ends of parts besides.
    public static let waitingBytesMax = 16 << 20
    /// The largest piece of a part taken in one call, in bytes.
    public static let pieceBytesMax = 64 << 20
    /// The most recordings that may claim the same minute and owner.
    public static let namesakesMax = 1000
    /// The wall-clock time, in milliseconds, that the inspection of one chunk may take.
    public static let inspectionMillisecondsMax = 10_000
    /// The processor time, in seconds, that the inspection of one chunk may take.
    public static let inspectionCPUSecondsMax = 8
    /// The memory, in bytes, that an inspection may map beyond what its process starts with.
    public static let inspectionMemoryBytesMax = 384 << 20
    /// The largest message between the gateway and its inspection child, in bytes.
    public static let inspectionMessageBytesMax = 32 << 20
    /// The most video, in bytes of chunks, that one still is decoded from, back to its key frame.
    ///
    /// More than any single chunk has, and less than a message to the inspection child may.
    public static let stillBytesMax = 30 << 20
    /// The chunks that may wait for one inspection child; a further one is passed over.
    public static let inspectionQueueMax = 64
    /// The widest and highest photograph that is taken, in pixels.
    public static let stillSideMax = 16_384
    /// The most pixels of a photograph: what a phone can show without running out of memory.
    public static let stillPixelsMax = 120_000_000
    /// The most fields read from one directory of a photograph's EXIF.
    public static let exifFieldsMax = 200
    /// The most pixels of a photograph that a public copy is made of.
    public static let publicCopyPixelsMax = 24_000_000
    /// The longer side of a public copy, in pixels.
    public static let publicCopySideMax = 1600
    /// The quality of a public copy, 1 to 100.
    public static let publicCopyQuality = 82
    /// The widest thumbnail, in pixels.
    public static let thumbnailWidthMax = 320
}
