// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Small files that are either there whole or not at all, also after a power cut.
enum DurableFile {
    /// Removes a file, and never a folder that lies in its place.
    ///
    /// - Returns: Whether there was one.
    static func remove(_ file: URL) throws -> Bool {
        guard unlink(file.path) != 0 else { return true }
        let code = errno
        guard code != ENOENT, code != ENOTDIR else { return false }
        throw NotDeleted(code: code)
    }

    /// A file stays where it is.
    struct NotDeleted: FaultCoded, CustomStringConvertible {
        let code: Int32
        var description: String { "it could not be deleted: \(String(cString: strerror(code)))" }
        var faultCode: String { "unlink \(code)" }
    }

    /// Writes a file, or replaces it in one step; returns once it is on disk.
    ///
    /// - Throws: ``StartError/noRoom(_:)``, or ``StartError/folder(_:reason:)`` with the call that failed.
    static func write(_ data: Data, to file: URL, permissions: mode_t) throws(StartError) {
        let temporary = file.appendingPathExtension("new")
        let descriptor = open(
            temporary.path,
            O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC,
            permissions
        )
        try check(descriptor >= 0, "open", temporary)
        defer { close(descriptor) }
        do {
            let written = data.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress, $0.count)
            }
            try check(written == data.count, "write", temporary)
            try check(fsync(descriptor) == 0, "fsync", temporary)
            try move(temporary, to: file)
        } catch {
            // Half a file would only take the room that it had not.
            unlink(temporary.path)
            throw error
        }
    }

    /// Gives a file that is on disk its name; returns once the name is, too.
    static func move(_ file: URL, to name: URL) throws(StartError) {
        // The folder stays open across rename and fsync, or the sync may mean nothing.
        let folder = name.deletingLastPathComponent()
        let folderDescriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try check(folderDescriptor >= 0, "open", folder)
        defer { close(folderDescriptor) }
        try check(rename(file.path, name.path) == 0, "rename", name)
        try check(fsync(folderDescriptor) == 0, "fsync", folder)
    }

    /// Returns once the names in a folder are on disk.
    static func syncFolder(_ folder: URL) throws(StartError) {
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try check(descriptor >= 0, "open", folder)
        defer { close(descriptor) }
        try check(fsync(descriptor) == 0, "fsync", folder)
    }

    private static func check(_ isDone: Bool, _ call: String, _ file: URL) throws(StartError) {
        guard isDone else {
            if errno == ENOSPC || errno == EDQUOT { throw .noRoom(file.path) }
            throw .folder(file.path, reason: "\(call): \(String(cString: strerror(errno)))")
        }
    }
}
