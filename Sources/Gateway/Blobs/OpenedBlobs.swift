// SPDX-License-Identifier: Apache-2.0
import Events

/// The files that were opened last, so that reading one piece by piece does not open it for each piece: never more than so
/// many bytes of them, however many read.
struct OpenedBlobs {
    private let bytesMax: Int
    /// The one used last at the end.
    private var files: [(digest: SHA256Digest, bytes: [UInt8])] = []

    init(bytesMax: Int) {
        self.bytesMax = bytesMax
    }

    /// What is in a file, if it was opened a moment ago.
    mutating func bytes(of digest: SHA256Digest) -> [UInt8]? {
        guard let index = files.firstIndex(where: { $0.digest == digest }) else { return nil }
        let file = files.remove(at: index)
        files.append(file)
        return file.bytes
    }

    /// Remembers what is in a file, and forgets others for it.
    mutating func add(_ bytes: [UInt8], of digest: SHA256Digest) {
        forget(digest)
        files.append((digest, bytes))
        while files.count > 1, files.reduce(0, { $0 + $1.bytes.count }) > bytesMax {
            files.removeFirst()
        }
    }

    mutating func forget(_ digest: SHA256Digest) {
        files.removeAll { $0.digest == digest }
    }
}
