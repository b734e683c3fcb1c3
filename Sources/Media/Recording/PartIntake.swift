// SPDX-License-Identifier: Apache-2.0

/// Where on the recording's timeline a part begins.
public enum PartPlacement: Hashable, Sendable {
    /// The picture of now: it begins at the given milliseconds, or behind the newest frame if that is later.
    case live(atMilliseconds: Int64)
    /// Kept while the connection was gone and received late: it begins exactly at the given milliseconds,
    /// behind which other parts may already stand. Its chunks lie at the end of the file and earlier in time.
    case late(atMilliseconds: Int64)
}

/// One part on its way into the recording: its bytes that are not yet in a cluster, and where its parser stands.
struct PartIntake {
    let number: UInt32
    let placement: PartPlacement
    private(set) var parser = WebMParser()
    /// The bytes below this offset are in clusters on the disk.
    private(set) var through: UInt64 = 0
    /// The part's bytes from `through` on.
    private(set) var raw: ArraySlice<UInt8> = []
    private(set) var pending: ArraySlice<PendingFrame> = []
    private(set) var shift: Int64?
    private(set) var lastMilliseconds: Int64?
    private(set) var size: PictureSize?
    private(set) var hasEnded = false

    /// A whole frame that waits for its cluster to be complete.
    struct PendingFrame {
        let frame: RecordedFrame
        let payloadOffset: UInt64
        let size: PictureSize
        let next: ParserPosition
        let arrived: ContinuousClock.Instant
        /// What was added to its time.
        let shift: Int64
        /// Whether the sender's clock leapt right before it.
        let followsLeap: Bool
    }

    init(number: UInt32, placement: PartPlacement) {
        self.number = number
        self.placement = placement
    }

    /// A part as its last cluster left it.
    init(recovered record: ClusterRecord) {
        number = record.part
        placement = .late(atMilliseconds: record.firstMilliseconds)
        parser = WebMParser(at: record.position)
        through = record.source.upperBound
        shift = record.shift
        lastMilliseconds = record.lastMilliseconds
        size = record.size
        hasEnded = record.endsPart
    }

    /// When the oldest pending frame came.
    var pendingSince: ContinuousClock.Instant? { pending.first?.arrived }

    var received: UInt64 { through + UInt64(raw.count) }
    var codec: VideoCodec? { parser.track?.codec }

    /// Where a part stood, without its bytes: a piece that is refused costs no copy of what waits.
    struct Mark {
        fileprivate let parser: WebMParser.Mark
        fileprivate let raw: Int
        fileprivate let pending: Int
        fileprivate let shift: Int64?
        fileprivate let lastMilliseconds: Int64?
        fileprivate let size: PictureSize?
    }

    /// Notes where the part stands, to go back there by ``undo(to:)`` until ``settle()`` is called.
    func mark() -> Mark {
        Mark(
            parser: parser.mark(),
            raw: raw.count,
            pending: pending.count,
            shift: shift,
            lastMilliseconds: lastMilliseconds,
            size: size
        )
    }

    /// Goes back: what was taken since is forgotten.
    mutating func undo(to mark: Mark) {
        parser.undo(to: mark.parser)
        raw.removeLast(raw.count - mark.raw)
        pending.removeLast(pending.count - mark.pending)
        (shift, lastMilliseconds, size) = (mark.shift, mark.lastMilliseconds, mark.size)
    }

    /// Keeps what was taken.
    mutating func settle() { parser.settle() }

    /// Takes the next bytes of the part, until ``settle()`` or ``undo(to:)`` is called.
    ///
    /// - Parameters:
    ///   - bytes: The bytes at ``received``.
    ///   - timelineEnd: The time of the newest frame of the recording.
    ///   - latest: The latest time of a frame that can have been filmed by now; `nil` for any.
    ///   - now: When the bytes came.
    /// - Throws: A refusal; go back then.
    /// - Complexity: O(n) in the bytes, however many wait.
    mutating func take(
        _ bytes: ArraySlice<UInt8>,
        timelineEnd: Int64?,
        until latest: Int64?,
        now: ContinuousClock.Instant
    ) throws(RecordingError) {
        raw.append(contentsOf: bytes)
        let frames: [VideoFrame]
        do {
            frames = try parser.read(bytes)
        } catch {
            throw .webM(error, part: number)
        }
        for frame in frames {
            try add(frame, timelineEnd: timelineEnd, until: latest, now: now)
        }
        let covered = pending.last?.next.offset ?? through
        let idle = parser.offset - covered
        guard idle <= UInt64(MediaLimits.bytesBetweenFramesMax) else {
            throw .noFramesFor(bytes: Int(idle), part: number)
        }
    }

    private mutating func add(
        _ frame: VideoFrame,
        timelineEnd: Int64?,
        until latest: Int64?,
        now: ContinuousClock.Instant
    ) throws(RecordingError) {
        let header: FrameHeader
        do {
            header = try FrameHeader(frame.bytes, codec: frame.next.track.codec)
        } catch {
            throw .frame(error, part: number, offset: frame.payloadOffset)
        }
        guard header.isKey == frame.isMarkedKey else {
            throw .lyingContainer(
                part: number,
                offset: frame.payloadOffset,
                markedKey: frame.isMarkedKey
            )
        }
        if let newSize = header.size { size = newSize }
        guard let size else { throw .beginsWithoutKeyFrame(part: number) }
        try settleShift(before: frame.milliseconds, timelineEnd: timelineEnd)
        let (milliseconds, followsLeap) = try place(frame.milliseconds, until: latest)
        let recorded = RecordedFrame(
            milliseconds: milliseconds,
            isKey: header.isKey,
            bytes: frame.bytes
        )
        lastMilliseconds = milliseconds
        pending.append(
            PendingFrame(
                frame: recorded,
                payloadOffset: frame.payloadOffset,
                size: size,
                next: frame.next,
                arrived: now,
                shift: shift ?? 0,
                followsLeap: followsLeap
            )
        )
    }

    /// Where the part begins, by its first frame.
    private mutating func settleShift(
        before milliseconds: Int64,
        timelineEnd: Int64?
    ) throws(RecordingError) {
        let limit = MediaLimits.recordingMillisecondsMax
        guard (-limit...limit).contains(milliseconds) else {
            throw .tooLong(part: number, milliseconds: milliseconds)
        }
        guard shift == nil else { return }
        let begin =
            switch placement {
            case .live(let at): max(at, timelineEnd.map { $0 + 1 } ?? 0)
            case .late(let at): max(at, 0)
            }
        guard begin <= limit else { throw .tooLong(part: number, milliseconds: begin) }
        shift = begin - milliseconds
    }

    /// The recording's time of a frame.
    ///
    /// Pictures are evidence whatever the sender's clock does: one that is a little back takes the time of the one before, and behind a
    /// leap, back or to where nobody can have filmed yet, times go on from there.
    private mutating func place(
        _ milliseconds: Int64,
        until latest: Int64?
    ) throws(RecordingError) -> (milliseconds: Int64, followsLeap: Bool) {
        let placed = milliseconds + (shift ?? 0)
        guard let last = lastMilliseconds else { return (try within(placed), false) }
        let step = placed - last
        if (-MediaLimits.stepBackMillisecondsMax..<0).contains(step) { return (last, false) }
        let isAhead = step > MediaLimits.leapMillisecondsMin && placed > latest ?? .max
        guard step < 0 || isAhead else { return (try within(placed), false) }
        shift = last + 1 - milliseconds
        return (try within(last + 1), true)
    }

    private func within(_ placed: Int64) throws(RecordingError) -> Int64 {
        guard placed <= MediaLimits.recordingMillisecondsMax else {
            throw .tooLong(part: number, milliseconds: placed)
        }
        return placed
    }
}

extension PartIntake {
    /// How many pending frames each whole cluster takes, in order; the frames behind them may still get company.
    ///
    /// - Complexity: O(n) in the frames that wait.
    var wholeClusters: [Int] {
        var counts: [Int] = []
        var begin = pending.startIndex
        var offset = through
        for index in pending.indices.dropFirst()
        where isWhole(pending[begin..<index], from: offset, before: pending[index]) {
            counts.append(index - begin)
            begin = index
            offset = pending[index - 1].next.offset
        }
        return counts
    }

    /// Whether a cluster has to end before a frame.
    private func isWhole(
        _ cluster: ArraySlice<PendingFrame>,
        from offset: UInt64,
        before next: PendingFrame
    ) -> Bool {
        guard let first = cluster.first else { return false }
        let lasts = next.frame.milliseconds - first.frame.milliseconds
        // A cluster that was begun by the clock, or for its length, ends at any key frame: otherwise one key frame
        // shortly behind such a beginning would keep all that follow from beginning a cluster, too.
        let yields = lasts >= MediaLimits.clusterMillisecondsMin || !first.frame.isKey
        return next.followsLeap || next.frame.isKey && yields
            || lasts >= MediaLimits.clusterMillisecondsMax
            || cluster.count >= MediaLimits.clusterFramesMax
            || next.next.offset - offset > UInt64(MediaLimits.clusterBytesMax)
    }

    /// Whether whole elements without a frame wait that an end of the part has to keep.
    var hasTrailingElements: Bool {
        shift != nil && !raw.isEmpty && parser.isBetweenElements
    }

    /// Cuts a cluster off the front; what is cut stays in memory until ``compact()``.
    ///
    /// - Complexity: O(n) in the bytes of the cluster, however many wait behind it.
    /// - Parameters:
    ///   - count: How many pending frames it takes.
    ///   - index: Its place among the chunks.
    /// - Returns: The record, the frames, and whether the sender's clock leapt right before them; `nil` for a part that has had no frame.
    mutating func cut(
        _ count: Int,
        index: Int
    ) -> (record: ClusterRecord, frames: [RecordedFrame], followsLeap: Bool)? {
        let taken = pending.prefix(count)
        let takesTrailing = hasEnded && count == pending.count && hasTrailingElements
        guard let position = takesTrailing ? parser.position : taken.last?.next,
            let last = lastMilliseconds, let size = taken.last?.size ?? size, let shift
        else { return nil }
        let record = ClusterRecord(
            index: index,
            part: number,
            startsWithKeyFrame: taken.first?.frame.isKey ?? false,
            endsPart: takesTrailing,
            source: through..<position.offset,
            shift: taken.last?.shift ?? shift,
            firstMilliseconds: taken.first?.frame.milliseconds ?? last,
            lastMilliseconds: taken.last?.frame.milliseconds ?? last,
            frames: taken.count,
            size: size,
            position: position,
            literals: literals(of: taken, through: position.offset)
        )
        raw.removeFirst(Int(position.offset - through))
        pending.removeFirst(count)
        through = position.offset
        return (record, taken.map(\.frame), taken.first?.followsLeap ?? false)
    }

    /// Lets go of what was cut.
    ///
    /// - Complexity: O(n) in the bytes that still wait.
    mutating func compact() {
        raw = Array(raw)[...]
        pending = Array(pending)[...]
    }

    /// Ends the part: what is no whole element by now is forgotten, and never was acknowledged.
    mutating func end() {
        hasEnded = true
        if !parser.isBetweenElements {
            let kept = (pending.last?.next.offset ?? through) - through
            raw.removeLast(raw.count - Int(kept))
        }
    }

    private func literals(of frames: ArraySlice<PendingFrame>, through end: UInt64) -> [[UInt8]] {
        var literals: [[UInt8]] = []
        var from = through
        for frame in frames {
            literals.append(rawBytes(from..<frame.payloadOffset))
            from = frame.payloadOffset + UInt64(frame.frame.bytes.count)
        }
        return literals + [rawBytes(from..<end)]
    }

    /// Bytes of the part at or behind ``through``.
    func rawBytes(_ range: Range<UInt64>) -> [UInt8] {
        let from = raw.startIndex + Int(range.lowerBound - through)
        return Array(raw[from..<from + range.count])
    }
}
