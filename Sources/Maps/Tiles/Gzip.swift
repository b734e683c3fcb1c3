// SPDX-License-Identifier: Apache-2.0
import CZlib

/// Bytes as gzip has them (RFC 1952), without a time: the same bytes give the same file.
public enum Gzip {
    /// Compresses a whole, at most 4 GiB.
    public static func compressed(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        // 15 bits of window, and 16 for gzip's frame.
        let begun = deflateInit2_(
            &stream,
            Z_BEST_COMPRESSION,
            Z_DEFLATED,
            15 + 16,
            8,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size)
        )
        precondition(begun == Z_OK, "zlib refuses its own settings: \(begun)")
        defer { deflateEnd(&stream) }
        let room = Int(deflateBound(&stream, UInt(bytes.count)))
        var input = bytes
        return [UInt8](unsafeUninitializedCapacity: room) { output, count in
            input.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(room)
                let ended = deflate(&stream, Z_FINISH)
                precondition(ended == Z_STREAM_END, "zlib does not keep its bound: \(ended)")
            }
            count = room - Int(stream.avail_out)
        }
    }
}
