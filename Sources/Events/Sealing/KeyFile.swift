// SPDX-License-Identifier: Apache-2.0
import Foundation

/// An open file of secrets: whole reads and writes at a place, and syncs, with errors that name the call.
final class KeyFile: Sendable {
    let url: URL
    private let descriptor: Int32

    /// Opens a file; one that is created can be read and written by its owner only.
    init(_ url: URL, flags: Int32) throws(SealingError) {
        self.url = url
        // A pipe under this name must not keep whoever opens it waiting for a writer.
        descriptor = open(url.path, flags | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(call: "open", url, errno: errno) }
    }

    deinit {
        unlockAndClose(descriptor)
    }

    /// Keeps other writers away for as long as the file is open.
    func lock() throws(SealingError) {
        guard lockExclusively(descriptor) else {
            throw errno == EWOULDBLOCK ? .inUse(url) : .system(call: "flock", url, errno: errno)
        }
    }

    func size() throws(SealingError) -> Int {
        let end = lseek(descriptor, 0, SEEK_END)
        guard end >= 0 else { throw .system(call: "lseek", url, errno: errno) }
        return Int(end)
    }

    /// Reads so many bytes, or as many as there are.
    func read(_ count: Int, at offset: Int) throws(SealingError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes {
                pread(
                    descriptor,
                    $0.baseAddress.map { $0 + filled },
                    count - filled,
                    off_t(offset + filled)
                )
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw .system(call: "pread", url, errno: errno) }
            guard got > 0 else { break }
            filled += got
        }
        bytes.removeSubrange(filled...)
        return bytes
    }

    /// Writes all of the bytes.
    func write(_ bytes: [UInt8], at offset: Int) throws(SealingError) {
        var written = 0
        while written < bytes.count {
            let put = bytes.withUnsafeBytes {
                pwrite(
                    descriptor,
                    $0.baseAddress.map { $0 + written },
                    bytes.count - written,
                    off_t(offset + written)
                )
            }
            if put < 0, errno == EINTR { continue }
            guard put >= 0 else { throw .system(call: "pwrite", url, errno: errno) }
            written += put
        }
    }

    func truncate(to size: Int) throws(SealingError) {
        guard ftruncate(descriptor, off_t(size)) == 0 else {
            throw .system(call: "ftruncate", url, errno: errno)
        }
    }

    /// Returns once what was written is on disk.
    func sync() throws(SealingError) {
        guard fsync(descriptor) == 0 else { throw .system(call: "fsync", url, errno: errno) }
    }

    /// Returns once the file's name is on disk.
    func syncFolder() throws(SealingError) {
        let folder = url.deletingLastPathComponent()
        let opened = try KeyFile(folder, flags: O_RDONLY | O_DIRECTORY)
        try opened.sync()
    }
}
