// SPDX-License-Identifier: Apache-2.0

/// Cuts a live WebM at its clusters, so that a file can begin with any of them: each needs ``head`` before it.
///
/// It takes clusters of known and of unknown size, in pieces that end anywhere, and holds no more than the head and one
/// unfinished header.
public struct ClusterCutter: Sendable {
    /// What a stream consists of.
    public enum Piece: Hashable, Sendable {
        /// A cluster begins with the bytes that follow; its time, in milliseconds of the stream.
        case cluster(milliseconds: Int64)
        /// Bytes of the cluster that began last.
        case bytes([UInt8])
    }

    /// What stands before the first cluster.
    public private(set) var head: [UInt8] = []

    private var buffer: [UInt8] = []
    /// Bytes of an element's data that are still to come.
    private var rest: UInt64 = 0
    private var timestampScale: UInt64 = 1_000_000
    private var isInCluster = false

    /// Bytes read before.
    private var offset: UInt64 = 0

    public init() {}

    /// Reads on.
    ///
    /// - Throws: ``WebMError`` for bytes that are no WebM; the stream is over then.
    public mutating func push(_ bytes: some Collection<UInt8>) throws(WebMError) -> [Piece] {
        buffer.append(contentsOf: bytes)
        var pieces: [Piece] = []
        var start = 0
        while try step(&start, &pieces) {}
        buffer.removeFirst(start)
        offset += UInt64(start)
        guard head.count <= MediaLimits.headElementBytesMax else {
            throw .noClusterTimestamp(offset: offset)
        }
        return pieces
    }

    /// - Returns: Whether it went on.
    private mutating func step(
        _ start: inout Int,
        _ pieces: inout [Piece]
    ) throws(WebMError) -> Bool {
        guard start < buffer.count else { return false }
        if rest > 0 {
            let count = Int(min(rest, UInt64(buffer.count - start)))
            put(buffer[start..<start + count], &pieces)
            (start, rest) = (start + count, rest - UInt64(count))
            return true
        }
        let header: ElementHeader
        do {
            guard let read = try ElementHeader.read(buffer[start...]) else { return false }
            header = read
        } catch {
            throw .notWebM(offset: offset + UInt64(start))
        }
        guard offset + UInt64(start) > 0 || header.id == Element.ebml else {
            throw .notWebM(offset: 0)
        }
        switch header.id {
        case Element.segment, Element.info: break
        case Element.cluster:
            guard let milliseconds = try time(behind: start + header.length) else { return false }
            isInCluster = true
            pieces.append(.cluster(milliseconds: milliseconds))
        default:
            guard let size = header.size, size <= UInt64(MediaLimits.frameBytesMax) else {
                throw .unknownSize(element: header.id, offset: offset + UInt64(start))
            }
            if header.id == Element.timestampScale {
                guard buffer.count - start - header.length >= Int(size) else { return false }
                let data = buffer[(start + header.length)...].prefix(Int(size))
                timestampScale = data.ebmlUnsigned ?? timestampScale
            }
            rest = size
        }
        put(buffer[start..<start + header.length], &pieces)
        start += header.length
        return true
    }

    /// The time of a cluster, which stands first in it; `nil` when it has not come yet.
    private func time(behind start: Int) throws(WebMError) -> Int64? {
        let header: ElementHeader
        do {
            guard let read = try ElementHeader.read(buffer[start...]) else { return nil }
            header = read
        } catch {
            throw .notWebM(offset: offset + UInt64(start))
        }
        guard header.id == Element.timestamp, let size = header.size, size <= 8 else {
            throw .noClusterTimestamp(offset: offset + UInt64(start))
        }
        let data = buffer[(start + header.length)...].prefix(Int(size))
        guard data.count == Int(size) else { return nil }
        let (nanoseconds, isOver) = (data.ebmlUnsigned ?? 0)
            .multipliedReportingOverflow(by: timestampScale)
        guard !isOver, nanoseconds <= UInt64(Int64.max) else {
            throw .timestampOutOfRange(offset: offset + UInt64(start))
        }
        return Int64(nanoseconds / 1_000_000)
    }

    private mutating func put(_ bytes: ArraySlice<UInt8>, _ pieces: inout [Piece]) {
        guard isInCluster else {
            head += bytes
            return
        }
        if case .bytes(let last)? = pieces.last {
            pieces[pieces.count - 1] = .bytes(last + bytes)
        } else {
            pieces.append(.bytes(Array(bytes)))
        }
    }
}
