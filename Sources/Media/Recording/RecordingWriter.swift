// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The archive of one stream: takes the bytes of its parts and keeps them as clusters of one growing WebM.
///
/// ```swift
/// let name = try RecordingName(start: start, timeZone: site, owner: "123456789")
/// let file = try name.claim(in: archive)  // 2015/04/2015-04-21-13-11-123456789.webm
/// let found = try RecordingWriter.open(
///     archive + "/" + file, seal: seal, start: start, logged: loggedChunks)
/// let writer = found.writer               // log found.unlogged; then, for each connection:
/// let resumeAt = try writer.begin(part: 1, placement: .live(atMilliseconds: 0))
/// let taken = try writer.accept(bytes, part: 1, offset: resumeAt)
/// // log taken.chunks, and only then acknowledge taken.through; when the stream stops:
/// let last = try writer.flush()           // log these as well
/// let finished = try writer.finalize()
/// ```
///
/// **Promises.** A chunk is returned only after its bytes are written and synced. Chunks are WebM clusters of at
/// most a second, contiguous in the file from byte 65,536, and never move or change. The same bytes of a part
/// again get the same answer; other bytes, or bytes behind a gap, are refused. A refusal changes nothing. The
/// file can be played at any moment, also after a power cut. However small the frames, there are no more chunks
/// than its ``ChunkAllowance`` lets it make, which several recordings may share.
///
/// **Waiting frames.** A cluster is complete when a full second follows it, or a key frame that does not come right
/// behind the one that it begins with. Call ``flush()`` when ``pendingSince`` lies about 700 ms back, so that a frame
/// is safe within a second of arriving.
///
/// **After a failure** of the disk the writer takes nothing more. Release it, and ``open(_:seal:start:logged:allowance:)`` again.
///
/// All calls block; use it on one thread. It locks the file against other processes until it is released.
public final class RecordingWriter {
    /// The file.
    public let path: String
    /// The time that is 0 on the recording's timeline.
    public let start: Date
    /// Every chunk of the recording, in the order of the file.
    public internal(set) var chunks: [ArchivedChunk] = []

    let file: ArchiveFile
    let seal: RecordingSeal
    var parts: [UInt32: PartIntake] = [:]
    /// The parts with bytes that are in no cluster yet: what costs memory.
    var unfinished: Set<UInt32> = []
    /// How many such bytes there are.
    public internal(set) var waitingBytes = 0
    /// The time of the newest frame, in milliseconds; `nil` before the first.
    public internal(set) var timelineEnd: Int64?
    var state = State.untouched
    let allowance: ChunkAllowance

    enum State {
        /// The head may be that of a finalised file, or torn.
        case untouched
        /// The head is that of a growing file.
        case growing
        case finalized
        case failed
    }

    init(file: ArchiveFile, seal: RecordingSeal, start: Date, allowance: ChunkAllowance) {
        self.file = file
        self.seal = seal
        path = file.path
        self.start = start
        self.allowance = allowance
    }

    deinit {
        allowance.letGo(ObjectIdentifier(self))
    }

    /// Begins a part, or goes on with one.
    ///
    /// - Parameters:
    ///   - part: The sender's number of the part.
    ///   - placement: Where it begins in time; of no effect when the part is known already.
    /// - Returns: The byte offset of the part from which the sender shall send.
    /// - Throws: ``RecordingError/tooManyParts(_:)``, or what says that the writer is closed.
    public func begin(part: UInt32, placement: PartPlacement) throws(RecordingError) -> UInt64 {
        try checkOpen()
        if let known = parts[part] { return known.received }
        guard parts.count < MediaLimits.partsMax else { throw .tooManyParts(part) }
        parts[part] = PartIntake(number: part, placement: placement)
        return 0
    }

    /// Takes bytes of a part.
    ///
    /// - Parameters:
    ///   - bytes: Any number of bytes; neither clusters nor frames need to be whole.
    ///   - part: A part that was begun.
    ///   - offset: The place of the first byte in the part. Bytes known already may come again.
    ///   - latest: The latest time of a frame, in milliseconds of the recording; `nil` for any.
    ///   - now: When they came, for ``pendingSince`` and the number of chunks that they may make.
    /// - Returns: The chunks that are now safe, to be logged before `through` is acknowledged.
    /// - Throws: ``RecordingError``; see ``RecordingError/isRefusal``.
    public func accept(
        _ bytes: [UInt8],
        part: UInt32,
        offset: UInt64,
        until latest: Int64? = nil,
        now: ContinuousClock.Instant = .now
    ) throws(RecordingError) -> Acceptance {
        try checkOpen()
        guard bytes.count <= MediaLimits.pieceBytesMax else {
            throw .pieceTooLarge(bytes: bytes.count)
        }
        let new = try unknown(bytes, of: part, offset: offset)
        guard !new.isEmpty else { return acceptance(of: part, chunks: []) }
        let isFirst = parts[part]?.shift == nil
        let clusters = try take(new, of: part, until: latest, now: now)
        // The others' waiting frames go first, so that the file stays in the order of time where it can.
        let isNew = isFirst && parts[part]?.shift != nil
        let before = isNew ? try flush(unfinished.filter { $0 != part }) : []
        var batch = ClusterBatch(after: chunks.last)
        cut(clusters, of: part, into: &batch)
        return acceptance(of: part, chunks: before + (try commit(batch)))
    }

    /// What of these bytes has not come before; what has is held to what came then.
    private func unknown(
        _ bytes: [UInt8],
        of part: UInt32,
        offset: UInt64
    ) throws(RecordingError) -> ArraySlice<UInt8> {
        guard let known = parts[part] else { throw .unknownPart(part) }
        guard offset <= known.received else {
            throw .gap(part: part, expected: known.received, offset: offset)
        }
        let again = min(Int(clamping: known.received - offset), bytes.count)
        try compare(bytes.prefix(again), with: known, offset: offset)
        guard again < bytes.count else { return [] }
        guard !known.hasEnded else { throw .partEnded(part, through: known.through) }
        let waiting = waitingBytes + bytes.count - again
        guard waiting <= MediaLimits.waitingBytesMax else {
            throw .tooMuchUnfinished(bytes: waiting, part: part)
        }
        return bytes.dropFirst(again)
    }

    /// Takes bytes in place, so that what waits is not copied; a refusal leaves the part as it was.
    ///
    /// - Returns: How many frames each cluster has that is now whole.
    private func take(
        _ bytes: ArraySlice<UInt8>,
        of part: UInt32,
        until latest: Int64?,
        now: ContinuousClock.Instant
    ) throws(RecordingError) -> [Int] {
        guard let mark = parts[part]?.mark() else { throw .unknownPart(part) }
        do {
            try parts[part]?.take(
                bytes,
                timelineEnd: timelineEnd,
                until: latest,
                now: now
            )
            try checkCodec(of: part)
            try checkTime(of: part, until: latest)
            let clusters = parts[part]?.wholeClusters ?? []
            try checkAllowance(clusters, of: part, now: now)
            parts[part]?.settle()
            noteWaiting(of: part, bytes.count)
            timelineEnd = [timelineEnd, parts[part]?.lastMilliseconds].compactMap { $0 }.max()
            return clusters
        } catch {
            parts[part]?.undo(to: mark)
            throw error
        }
    }

    /// Notes that so many more bytes of a part wait, or fewer.
    func noteWaiting(of part: UInt32, _ bytes: Int) {
        waitingBytes += bytes
        if let known = parts[part], known.received > known.through {
            unfinished.insert(part)
        } else {
            unfinished.remove(part)
        }
    }

    /// Writes the frames that wait, of all parts, without waiting for their cluster to be complete.
    ///
    /// - Returns: The chunks that are now safe, to be logged.
    public func flush() throws(RecordingError) -> [ArchivedChunk] {
        try checkOpen()
        return try flush(unfinished)
    }

    private func flush(_ numbers: Set<UInt32>) throws(RecordingError) -> [ArchivedChunk] {
        var batch = ClusterBatch(after: chunks.last)
        for number in numbers.sorted() {
            if let count = parts[number]?.pending.count, count > 0 {
                cut([count], of: number, into: &batch)
            }
        }
        return try commit(batch)
    }

    /// Ends a part at the bytes received so far and writes what waits.
    ///
    /// A torn frame at its end is forgotten. More bytes of the part are refused from now on. Ending again does nothing.
    ///
    /// - Returns: The chunks that are now safe, to be logged, and how far the part reaches.
    public func end(part: UInt32) throws(RecordingError) -> Acceptance {
        try checkOpen()
        guard let known = parts[part] else { throw .unknownPart(part) }
        guard !known.hasEnded else { return acceptance(of: part, chunks: []) }
        parts[part]?.end()
        noteWaiting(of: part, Int((parts[part]?.received ?? 0)) - Int(known.received))
        var batch = ClusterBatch(after: chunks.last)
        if let intake = parts[part], !intake.pending.isEmpty || intake.hasTrailingElements {
            cut([intake.pending.count], of: part, into: &batch)
        }
        return acceptance(of: part, chunks: try commit(batch))
    }

    /// When the oldest frame came that is not in a chunk yet; `nil` when none waits.
    ///
    /// - Complexity: O(n) in the parts that wait.
    public var pendingSince: ContinuousClock.Instant? {
        unfinished.compactMap { parts[$0]?.pendingSince }.min()
    }

    /// How far each known part has been received and is on the disk.
    ///
    /// - Complexity: O(n) in the parts; ask ``progress(of:)`` for one.
    public var progress: [UInt32: PartProgress] {
        parts.mapValues {
            PartProgress(received: $0.received, through: $0.through, hasEnded: $0.hasEnded)
        }
    }

    /// How far a part has been received and is on the disk; `nil` for one that was not begun.
    public func progress(of part: UInt32) -> PartProgress? {
        parts[part].map {
            PartProgress(received: $0.received, through: $0.through, hasEnded: $0.hasEnded)
        }
    }

    /// What is added to the times of a part to get the recording's, in milliseconds; `nil` before its first picture.
    public func shift(of part: UInt32) -> Int64? { parts[part]?.shift }

    private func acceptance(of part: UInt32, chunks: [ArchivedChunk]) -> Acceptance {
        let now = parts[part]
        return Acceptance(
            chunks: chunks,
            received: now?.received ?? 0,
            through: now?.through ?? 0
        )
    }

    func checkOpen() throws(RecordingError) {
        switch state {
        case .failed: throw .afterFailure(path: path)
        case .finalized: throw .finalized(path: path)
        case .untouched, .growing: break
        }
    }

    /// Holds what the draft makes, now and when what waits of each part is written, to the recording's allowance.
    private func checkAllowance(
        _ clusters: [Int],
        of part: UInt32,
        now: ContinuousClock.Instant
    ) throws(RecordingError) {
        let waiting = unfinished.count { $0 != part && parts[$0]?.pending.isEmpty == false }
        let rest = (parts[part]?.pending.count ?? 0) > clusters.reduce(0, +) ? 1 : 0
        let count = clusters.count + waiting + rest
        guard let wait = allowance.hold(count, for: ObjectIdentifier(self), at: now) else {
            return
        }
        throw .tooManyChunks(count, part: part, wait: wait)
    }

    /// Refuses frames that cannot have been filmed yet.
    private func checkTime(of part: UInt32, until latest: Int64?) throws(RecordingError) {
        guard let latest, let last = parts[part]?.lastMilliseconds, last > latest else { return }
        throw .aheadOfTime(
            part: part,
            milliseconds: last,
            wait: .milliseconds(last - latest)
        )
    }

    private func checkCodec(of part: UInt32) throws(RecordingError) {
        guard let codec = parts[part]?.codec else { return }
        // Before the first chunk only parts that wait can have one.
        let others = unfinished.lazy.filter { $0 != part }.compactMap { self.parts[$0]?.codec }
        guard let settled = chunks.first?.codec ?? others.first, settled != codec else { return }
        throw .otherCodec(part: part, codec: codec, recording: settled)
    }
}
