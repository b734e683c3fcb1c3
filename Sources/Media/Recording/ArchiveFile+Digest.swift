// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation

extension ArchiveFile {
    /// The SHA-256 of the whole file in lower-case hexadecimal, and its length.
    func sha256() throws(RecordingError) -> (digest: String, length: UInt64) {
        let length = try size()
        return (try sha256(0..<length), length)
    }

    /// The SHA-256 of some bytes of the file, read by the mebibyte.
    func sha256(_ range: Range<UInt64>) throws(RecordingError) -> String {
        var hash = SHA256()
        var offset = range.lowerBound
        while offset < range.upperBound {
            let count = Int(min(1 << 20, range.upperBound - offset))
            hash.update(data: try read(at: offset, count: count))
            offset += UInt64(count)
        }
        return SHA256Hex.hexadecimal(Array(hash.finalize()))
    }
}
