// SPDX-License-Identifier: Apache-2.0

/// Where one chunk lies, in the file and in time.
public struct ChunkPlace: Hashable, Sendable {
    public let index: Int
    public let offset: UInt64
    public let length: Int
    public let firstMilliseconds: Int64
    public let lastMilliseconds: Int64
    public let startsWithKeyFrame: Bool
    public let part: UInt32

    public init(
        index: Int,
        offset: UInt64,
        length: Int,
        firstMilliseconds: Int64,
        lastMilliseconds: Int64,
        startsWithKeyFrame: Bool,
        part: UInt32
    ) {
        self.index = index
        self.offset = offset
        self.length = length
        self.firstMilliseconds = firstMilliseconds
        self.lastMilliseconds = lastMilliseconds
        self.startsWithKeyFrame = startsWithKeyFrame
        self.part = part
    }

    public init(_ chunk: ArchivedChunk) {
        self.init(
            index: chunk.index,
            offset: chunk.offset,
            length: chunk.length,
            firstMilliseconds: chunk.firstMilliseconds,
            lastMilliseconds: chunk.lastMilliseconds,
            startsWithKeyFrame: chunk.startsWithKeyFrame,
            part: chunk.part
        )
    }

    /// The bytes of the file that are the chunk.
    public var bytes: Range<UInt64> { offset..<offset + UInt64(length) }
}

/// Finds chunks by time.
///
/// A value; build it from a file, or from rows of a read model.
public struct RecordingIndex: Hashable, Sendable {
    /// The chunks in the order of time; parts that came late stand where their pictures belong.
    public let byTime: [ChunkPlace]

    /// Sorts chunks that may come in any order.
    public init(_ chunks: some Sequence<ChunkPlace>) {
        byTime = chunks.sorted {
            ($0.firstMilliseconds, $0.index) < ($1.firstMilliseconds, $1.index)
        }
    }

    /// The chunk that shows the given time: the last that begins at or before it, or else the first.
    ///
    /// - Parameter milliseconds: A time on the recording's timeline.
    /// - Returns: `nil` when there are no chunks.
    /// - Complexity: O(log n).
    public func chunk(atMilliseconds milliseconds: Int64) -> ChunkPlace? {
        place(at: milliseconds).map { byTime[$0] }
    }

    /// The chunks to decode, in order, to show the given time: from a key frame of the same part on.
    public func chunksToShow(atMilliseconds milliseconds: Int64) -> [ChunkPlace] {
        guard let last = place(at: milliseconds) else { return [] }
        var shown: [ChunkPlace] = []
        for chunk in byTime[...last].reversed() where chunk.part == byTime[last].part {
            shown.append(chunk)
            if chunk.startsWithKeyFrame { break }
        }
        return shown.reversed()
    }

    /// The chunks of a span of time, in the order of time, from the key frame that the first needs.
    ///
    /// - Parameter span: Milliseconds on the recording's timeline.
    /// - Returns: The chunks; none for an empty recording.
    public func chunks(inMilliseconds span: ClosedRange<Int64>) -> [ChunkPlace] {
        guard let first = chunksToShow(atMilliseconds: span.lowerBound).first,
            let from = byTime.firstIndex(of: first)
        else { return [] }
        return Array(byTime[from...].prefix { $0.firstMilliseconds <= span.upperBound })
    }

    /// Times without pictures that are longer than the given milliseconds.
    public func gaps(longerThanMilliseconds shortest: Int64) -> [Range<Int64>] {
        var gaps: [Range<Int64>] = []
        var end: Int64 = 0
        for chunk in byTime {
            if chunk.firstMilliseconds - end > shortest {
                gaps.append(end..<chunk.firstMilliseconds)
            }
            end = max(end, chunk.lastMilliseconds)
        }
        return gaps
    }

    private func place(at milliseconds: Int64) -> Int? {
        guard !byTime.isEmpty else { return nil }
        var (low, high) = (0, byTime.count)
        while low < high {
            let middle = (low + high) / 2
            if byTime[middle].firstMilliseconds <= milliseconds {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return max(0, low - 1)
    }
}
