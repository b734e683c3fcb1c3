// SPDX-License-Identifier: Apache-2.0
import Crypto
import Events
import Foundation
import Threads

/// Small files by their digest: `DIR/blobs/ab/<sha256>`.
///
/// Stored plain for now; sealing them for their owner comes with the blob store's encryption.
actor BlobFolder {
    private let path: String
    private let thread = DedicatedThread(name: "blobs")

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(path: String) {
        self.path = path
    }

    /// Keeps bytes; returns once they are on disk under their digest.
    func keep(_ bytes: [UInt8]) throws -> Events.SHA256Digest {
        let digest = Events.SHA256Digest(bytes: Array(SHA256.hash(data: bytes)))
        let file = url(of: digest)
        guard !FileManager.default.fileExists(atPath: file.path) else { return digest }
        let folder = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let fresh = folder.appending(path: ".\(digest)")
        try Data(bytes).write(to: fresh)
        let handle = try FileHandle(forUpdating: fresh)
        try handle.synchronize()
        try handle.close()
        guard rename(fresh.path, file.path) == 0 else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file.path])
        }
        return digest
    }

    /// The bytes of a digest; `nil` if there are none.
    func bytes(of digest: Events.SHA256Digest) -> [UInt8]? {
        FileManager.default.contents(atPath: url(of: digest).path).map(Array.init)
    }

    private func url(of digest: Events.SHA256Digest) -> URL {
        URL(filePath: path).appending(path: String(digest.text.prefix(2)))
            .appending(path: digest.text)
    }
}
