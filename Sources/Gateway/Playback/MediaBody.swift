// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import HummingbirdCore
import NIOCore

/// Bytes of a recording as the body of an answer, read as fast as the viewer takes them, for as long as the viewer may
/// have them.
struct MediaBody: Sendable {
    let file: MediaFile
    /// What goes first, from memory.
    var head: [UInt8] = []
    /// What follows, from the file, in this order.
    let ranges: [Range<UInt64>]
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

    @concurrent
    private func write(
        _ range: Range<UInt64>,
        to writer: inout any ResponseBodyWriter
    ) async throws {
        var at = range.lowerBound
        while at < range.upperBound {
            let end = min(range.upperBound, at + UInt64(readBytes))
            let piece = ByteBuffer(bytes: try await file.bytes(at..<end))
            try await stillMay()
            try await writer.write(piece)
            at = end
        }
    }
}
