// SPDX-License-Identifier: Apache-2.0
import Threads

/// Every limit of the archive, its inspection and its playback, with its unit.
struct ArchiveLimits: Sendable {
    /// Places on a recording's own clock that somebody may ask for, in milliseconds: those of a year.
    static let milliseconds: ClosedRange<Int64> = 0...366 * 86_400_000
    /// The highest number of a chunk that somebody may ask for.
    static let chunkNumberMax = Int(Int32.max)
    /// The highest place of a byte in a part.
    static let offsetMax = UInt64(1) << 53

    /// Threads that write recordings; a recording stays on one of them.
    var writingThreads = 4
    /// Recordings that may be received at once; a further one is refused with 503.
    var recordings = 256
    /// Bytes on the disk that video leaves free, four times what the log keeps for itself; below, the archive takes nothing.
    var freeBytesMin: Int64 = 4 << 30
    /// Bytes of unfinished pictures that every stream may let wait, whatever the others do.
    var waitingBytesOfOwn = 512 << 10
    /// Bytes of unfinished pictures beyond those, of all streams together; ``MediaLimits/waitingBytesMax`` bounds one.
    var waitingBytesOfAll = 48 << 20
    /// Of these, bytes of the streams of one caller: a quarter.
    var waitingBytesOfCaller = 12 << 20
    /// Bodies of parts that are taken in over HTTP at once; a further one is refused with 503.
    var partUploads = 256
    /// Of these, bodies of one sender; a further one is refused with 429.
    var partUploadsOfSender = 16
    /// How many times the bit rate that it named a stream may send; faster senders are slowed down.
    var bitRateFactor = 4.0
    /// Bytes that a rested stream may send at once: what a phone keeps while its connection is gone, twice.
    var streamBytesAtOnce = 128 << 20
    /// Bytes of all streams of a session, at once and a second thereafter.
    var bytesOfSession = Rate(burst: 512 * 1_048_576, perSecond: 8 * 1_048_576)
    /// How long a frame waits for its cluster to be complete before it is written as it is.
    var flushAfter = Duration.milliseconds(700)
    /// How often that and idleness are looked at.
    var tick = Duration.milliseconds(100)
    /// How long to wait before writing again what could not be written.
    var retryAfter = Duration.seconds(2)
    /// Without a byte for this long, a recording's file is closed until its sender comes back.
    var releaseAfter = Duration.seconds(60)
    /// Time without pictures that is recorded as a gap, in milliseconds.
    var gapMillisecondsMin: Int64 = 1_500
    /// The oldest picture that may come as "received late", in milliseconds (ruling 30).
    var lateMillisecondsMax: Int64 = 600_000
    /// How far pictures may be ahead of the time that a stream has run, in milliseconds: what was kept while the connection was
    /// gone comes behind that time, and only another clock brings more.
    var aheadMillisecondsMax: Int64 = 600_000
    /// How long the name of a recording is not given again, also if its file is gone: zones differ by 26 hours at most.
    var namesKept = Duration.seconds(26 * 3_600)
    /// How often a live viewer is noted as one who still watches.
    var viewingNoted = Duration.seconds(5)

    /// Threads that read recordings for viewers.
    var readingThreads = 4
    /// Stills of recordings, for staff.
    var stills = StillDesk.Limits(atOnce: 2, waiting: 8, ofViewer: 3)
    /// Public copies of photos, for everybody: a page asks for all of its pictures at once.
    var publicPictures = StillDesk.Limits(atOnce: 1, waiting: 128, ofViewer: 64)
    /// Bytes that one read hands to a viewer.
    var readBytes = 256 << 10
    /// Chunks in one page of an index.
    var indexPage = 5_000
    /// The longest span of one `media?from=&to=`, in milliseconds.
    var spanMillisecondsMax: Int64 = 3_600_000

    /// Streams whose pictures are decoded at once; the others wait their turn.
    var inspections = 4
    /// Of those, streams of one session.
    var inspectionsOfSession = 2
    /// Child processes that are kept between turns, one for each stream; more streams than that share them.
    var inspectionChildren = 64
    /// Chunks that one turn looks at.
    var inspectionTurn = 4
    /// How long a turn may take before it looks at no further chunk.
    var inspectionTurnTime = Duration.milliseconds(500)
    /// A chunk that was archived within this time comes before those of streams that catch up.
    var inspectionFresh = Duration.seconds(10)
    /// Chunks that a fresh decoder is given to know what a picture continues; with more, it waits for a key frame.
    var inspectionWarmUp = 120
    /// How long a child is kept for a stream of which nothing comes.
    var inspectionRest = Duration.seconds(10)
    /// Chunks reported in one `stream.chunks_inspected`.
    var inspectionBatch = 10
    /// How long a finding waits for others before it is reported: a chunk's is there within 2 s of its arrival.
    var inspectionDelay = Duration.milliseconds(1_400)
    /// One picture in this time is kept of a stream, in milliseconds of the recording.
    var thumbnailMilliseconds: Int64 = 5_000
    /// How long to wait before asking again for a child that could not be started, or looking again at what failed.
    var inspectionRetry = Duration.seconds(2)
    /// The longest that this doubles to.
    var inspectionRetryMax = Duration.seconds(60)
}
