// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import HummingbirdCore
import Media
import NIOCore

/// Bytes of a recording as the body of an answer, read as fast as the viewer takes them, for as long as the viewer may
/// have them.
struct MediaBody: Sendable {
    let file: MediaFile
    /// What goes first, from memory.
    var head: [UInt8] = []
    /// What follows, from the file, in this order.
    let ranges: [Range<UInt64>]
    /// What the log says of the file: nothing of a chunk is sent that is not what was archived.
    let chunks: [IndexedChunk]
    let readBytes: Int
    /// Throws once the viewer may have no more; asked before each piece.
    let stillMay: @Sendable () async throws -> Void

    var length: Int { head.count + ranges.reduce(0) { $0 + $1.count } }

    /// The body, with its length told ahead.
    var body: ResponseBody {
        ResponseBody(contentLength: length) { writer in
            if !head.isEmpty {
                try await stillMay()
                try await writer.write(ByteBuffer(bytes: head))
            }
            for range in ranges { try await write(range, to: &writer) }
            try await writer.finish(nil)
        }
    }

    /// Looks at what goes first, while an answer can still say what is wrong with it.
    ///
    /// - Throws: ``RecordingFileFault/changed(_:)``; what reading the file throws.
    func check() async throws {
        guard let first = ranges.first,
            let chunk = chunks.first(where: { $0.place.bytes.overlaps(first) })
        else { return }
        _ = try await file.bytes(of: chunk)
    }

    /// The bytes that were held against their digest are those that are sent: a file can change between two looks.
    @concurrent
    private func write(
        _ range: Range<UInt64>,
        to writer: inout any ResponseBodyWriter
    ) async throws {
        var at = range.lowerBound
        for chunk in chunks where chunk.place.bytes.overlaps(at..<range.upperBound) {
            let place = chunk.place.bytes
            try await writeBetween(at..<max(at, place.lowerBound), to: &writer)
            at = max(at, place.lowerBound)
            let end = min(place.upperBound, range.upperBound)
            let shown = Int(at - place.lowerBound)..<Int(end - place.lowerBound)
            try await send(try await file.bytes(of: chunk)[shown], to: &writer)
            at = end
        }
        try await writeBetween(at..<range.upperBound, to: &writer)
    }

    /// The head of the file, and its index: no entry of the log has a digest of these alone.
    @concurrent
    private func writeBetween(
        _ range: Range<UInt64>,
        to writer: inout any ResponseBodyWriter
    ) async throws {
        var at = range.lowerBound
        while at < range.upperBound {
            let end = min(range.upperBound, at + UInt64(readBytes))
            try await send(try await file.bytes(at..<end)[...], to: &writer)
            at = end
        }
    }

    @concurrent
    private func send(
        _ bytes: ArraySlice<UInt8>,
        to writer: inout any ResponseBodyWriter
    ) async throws {
        var rest = bytes
        while !rest.isEmpty {
            try await stillMay()
            try await writer.write(ByteBuffer(bytes: rest.prefix(readBytes)))
            rest = rest.dropFirst(readBytes)
        }
    }
}
