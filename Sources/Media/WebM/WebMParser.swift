// SPDX-License-Identifier: Apache-2.0

/// Reads WebM video pushed to it in pieces of any size.
///
/// It takes what browsers' MediaRecorder writes (Segment and Clusters of unknown size, pieces that end
/// anywhere), what pages mux from WebCodecs, and what ffmpeg writes (known sizes, Cues, Void, BlockGroups).
/// The frames do not depend on how the bytes are cut.
///
/// Blocks never, performs no input or output, and holds at most one unfinished element.
public struct WebMParser: Sendable {
    /// The video track, once its description has been read.
    public internal(set) var track: VideoTrack?
    /// The stream offset up to which whole elements have been read.
    public internal(set) var offset: UInt64 = 0

    enum Level: Sendable {
        /// Outside of the Segment: the EBML header stands here.
        case file
        /// Directly in the Segment.
        case segment
        /// Directly in a Cluster.
        case cluster
    }

    var level = Level.file
    var hasHead = false
    var hasSegment = false
    var segmentEnd: UInt64?
    var clusterEnd: UInt64?
    var clusterTimestamp: UInt64?
    var timestampScale: UInt64 = 1_000_000
    /// What has arrived and is not read yet; `buffer[start...]` begins at `offset`.
    private(set) var buffer: [UInt8] = []
    private var start = 0
    /// Bytes of an element of no interest that are still to come.
    private var toSkip: UInt64 = 0

    public init() {}

    /// A parser that goes on where another stood between two frames.
    public init(at position: ParserPosition) {
        track = position.track
        offset = position.offset
        timestampScale = position.timestampScale
        clusterTimestamp = position.clusterTimestamp
        clusterEnd = position.clusterEnd
        segmentEnd = position.segmentEnd
        level = position.isInCluster ? .cluster : .segment
        hasHead = true
        hasSegment = true
    }

    /// Whether every byte pushed so far belongs to a whole element.
    public var isBetweenElements: Bool { start == buffer.count && toSkip == 0 }

    /// Reads on.
    ///
    /// - Parameter bytes: The next bytes of the stream; any number.
    /// - Returns: The frames that these bytes complete, in order.
    /// - Throws: ``WebMError``; the parser then stands where it stood before.
    public mutating func push(_ bytes: some Collection<UInt8>) throws(WebMError) -> [VideoFrame] {
        let mark = mark()
        do {
            let frames = try read(bytes)
            settle()
            return frames
        } catch {
            undo(to: mark)
            throw error
        }
    }

    /// Where a parser stood, without the bytes that it holds: making one costs the same however many those are.
    struct Mark {
        fileprivate let parser: WebMParser
        fileprivate let buffered: Int
    }

    /// Notes where it stands, to go back there by ``undo(to:)`` until ``settle()`` is called.
    func mark() -> Mark {
        var parser = self
        parser.buffer = []
        return Mark(parser: parser, buffered: buffer.count)
    }

    /// Reads on, as ``push(_:)`` does, and keeps what is needed to go back.
    mutating func read(_ bytes: some Collection<UInt8>) throws(WebMError) -> [VideoFrame] {
        buffer.append(contentsOf: bytes)
        var frames: [VideoFrame] = []
        while try step(&frames) {}
        return frames
    }

    /// Lets go of what was read.
    ///
    /// - Complexity: O(n) in what was read and the unfinished element that came with its end.
    mutating func settle() {
        buffer.removeFirst(start)
        start = 0
    }

    /// Goes back; the bytes read since are forgotten.
    mutating func undo(to mark: Mark) {
        var held: [UInt8] = []
        swap(&held, &buffer)
        held.removeLast(held.count - mark.buffered)
        self = mark.parser
        buffer = held
    }

    /// Where the parser stands; `nil` before the track is known.
    public var position: ParserPosition? {
        guard let track else { return nil }
        return ParserPosition(
            offset: offset,
            track: track,
            timestampScale: timestampScale,
            clusterTimestamp: clusterTimestamp,
            clusterEnd: clusterEnd,
            segmentEnd: segmentEnd,
            isInCluster: level == .cluster
        )
    }

    /// Reads one element, or its header where it is a master that stays open.
    ///
    /// - Returns: Whether there was enough to read.
    private mutating func step(_ frames: inout [VideoFrame]) throws(WebMError) -> Bool {
        if toSkip > 0 { return skip() }
        leaveFinishedMasters()
        let header: ElementHeader?
        do {
            header = try ElementHeader.read(buffer[start...])
        } catch {
            throw .notWebM(offset: offset)
        }
        guard let header else { return false }
        if closesUnknownMaster(header) { return true }
        try checkFits(header)
        switch try disposition(of: header) {
        case .enter:
            enter(header)
        case .skip:
            let size = try boundedSize(header, limit: MediaLimits.skippedElementBytesMax)
            advance(header.length)
            toSkip = UInt64(size)
        case .read(let limit):
            let size = try boundedSize(header, limit: limit)
            guard buffer.count - start >= header.length + size else { return false }
            let body = start + header.length
            let at = offset
            advance(header.length + size)
            let element = Body(id: header.id, at: at, data: buffer[body..<body + size])
            if let frame = try take(element) { frames.append(frame) }
        }
        return true
    }

    private mutating func skip() -> Bool {
        let count = min(toSkip, UInt64(buffer.count - start))
        guard count > 0 else { return false }
        advance(Int(count))
        toSkip -= count
        return true
    }

    private mutating func advance(_ count: Int) {
        start += count
        offset += UInt64(count)
    }

    private func boundedSize(_ header: ElementHeader, limit: Int) throws(WebMError) -> Int {
        guard let size = header.size else {
            throw .unknownSize(element: header.id, offset: offset)
        }
        guard size <= UInt64(limit) else {
            throw .tooLarge(element: header.id, bytes: size, limit: limit, offset: offset)
        }
        return Int(size)
    }
}

extension WebMParser {
    private mutating func leaveFinishedMasters() {
        if level == .cluster, (clusterEnd ?? segmentEnd) == offset { leaveCluster() }
        if level == .segment, segmentEnd == offset { level = .file }
    }

    private mutating func leaveCluster() {
        level = .segment
        clusterEnd = nil
        clusterTimestamp = nil
    }

    /// A master of unknown size ends where an element begins that cannot be its child (RFC 8794 §6.2).
    private mutating func closesUnknownMaster(_ header: ElementHeader) -> Bool {
        guard level == .cluster, clusterEnd == nil, Element.isSegmentChild(header.id) else {
            return false
        }
        leaveCluster()
        return true
    }

    /// Holds an element to the end of what it stands in.
    private func checkFits(_ header: ElementHeader) throws(WebMError) {
        let parentEnd = level == .cluster ? clusterEnd ?? segmentEnd : segmentEnd
        guard level != .file, let parentEnd else { return }
        let room = parentEnd - min(parentEnd, offset)
        let fits =
            UInt64(header.length) <= room
            && (header.size.map { $0 <= room - UInt64(header.length) } ?? true)
        guard fits else { throw .beyondParent(element: header.id, offset: offset) }
    }

    /// Opens a Segment or a Cluster.
    ///
    /// ``checkFits(_:)`` and the size's 56 bits keep the sum from overflowing.
    private mutating func enter(_ header: ElementHeader) {
        advance(header.length)
        let end = header.size.map { offset + $0 }
        if header.id == Element.segment {
            (level, hasSegment, segmentEnd) = (.segment, true, end)
        } else {
            (level, clusterEnd, clusterTimestamp) = (.cluster, end, nil)
        }
    }
}
