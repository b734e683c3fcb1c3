// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A file of the archive by its descriptor.
///
/// All calls block.
final class ArchiveFile {
    let path: String
    private let descriptor: Int32

    enum Access {
        /// One writer at a time, held by a lock that ends with the process.
        case write
        case read
    }

    init(_ path: String, _ access: Access) throws(RecordingError) {
        self.path = path
        descriptor = Foundation.open(
            path,
            access == .write ? O_RDWR | O_CLOEXEC : O_RDONLY | O_CLOEXEC
        )
        guard descriptor >= 0 else { throw .storage("opening", path: path, code: errno) }
        // From here on all is initialised, so a throw runs deinit, which closes.
        guard access == .read || flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw .inUse(path: path)
        }
    }

    deinit {
        // A child that is just being started holds the descriptor a moment longer, and the lock with it.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// The size in bytes now.
    func size() throws(RecordingError) -> UInt64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("asking the size of") }
        return UInt64(status.st_size)
    }

    /// Reads exactly `count` bytes, or throws ``RecordingError/truncated(path:expected:actual:)``.
    func read(at offset: UInt64, count: Int) throws(RecordingError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                pread(
                    descriptor,
                    buffer.baseAddress.map { $0 + done },
                    count - done,
                    off_t(offset) + off_t(done)
                )
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw failure("reading") }
            guard got > 0 else {
                throw .truncated(
                    path: path,
                    expected: offset + UInt64(count),
                    actual: offset + UInt64(done)
                )
            }
            done += got
        }
        return bytes
    }

    func write(_ bytes: [UInt8], at offset: UInt64) throws(RecordingError) {
        var done = 0
        while done < bytes.count {
            let put = bytes.withUnsafeBytes { buffer in
                pwrite(
                    descriptor,
                    buffer.baseAddress.map { $0 + done },
                    bytes.count - done,
                    off_t(offset) + off_t(done)
                )
            }
            if put < 0, errno == EINTR { continue }
            guard put > 0 else { throw failure("writing") }
            done += put
        }
    }

    /// Returns once the data written so far, and the size, are on the disk.
    func synchronizeData() throws(RecordingError) {
        guard fdatasync(descriptor) == 0 else { throw failure("syncing") }
    }

    func truncate(to size: UInt64) throws(RecordingError) {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw failure("truncating") }
        try synchronizeData()
    }

    private func failure(_ attempt: String) -> RecordingError {
        .storage(attempt, path: path, code: errno)
    }
}

/// Makes a new name in a folder survive a power cut.
func synchronizeFolder(_ path: String) throws(RecordingError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .storage("opening", path: path, code: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .storage("syncing", path: path, code: errno) }
}
