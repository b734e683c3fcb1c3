// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation

extension ArchiveFile {
    /// The SHA-256 of the whole file in lower-case hexadecimal, and its length.
    func sha256() throws(RecordingError) -> (digest: String, length: UInt64) {
        let length = try size()
        var hash = SHA256()
        var offset: UInt64 = 0
        while offset < length {
            let count = Int(min(1 << 20, length - offset))
            hash.update(data: try read(at: offset, count: count))
            offset += UInt64(count)
        }
        return (SHA256Hex.hexadecimal(Array(hash.finalize())), length)
    }
}
