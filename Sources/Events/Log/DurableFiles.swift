// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Replaces a file so that after a power cut either the old or the new content is there.
func writeDurably(_ data: Data, to file: URL, permissions: mode_t = 0o644) throws {
    let folder = file.deletingLastPathComponent()
    let temporary = folder.appending(path: ".\(file.lastPathComponent).new")
    let descriptor = open(temporary.path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, permissions)
    guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    defer {
        close(descriptor)
        // Half a file would only take the room that it had not; what was renamed is not there any more.
        unlink(temporary.path)
    }
    let written = data.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard written == data.count, fsync(descriptor) == 0 else {
        throw POSIXError(.init(rawValue: errno) ?? .EIO)
    }
    // The folder stays open across rename and fsync, or its inode may be evicted and the sync mean nothing.
    let folderDescriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folderDescriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    defer { close(folderDescriptor) }
    guard rename(temporary.path, file.path) == 0, fsync(folderDescriptor) == 0 else {
        throw POSIXError(.init(rawValue: errno) ?? .EIO)
    }
}

/// Returns once the names in a folder are on disk: a file that was made and synced may otherwise be gone with its name.
func syncFolder(_ folder: URL) throws {
    let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
}

/// Bytes of a file; `nil` where there is none that may be looked at.
func fileBytes(_ path: String) -> Int? {
    do {
        // What is asked about is what a name leads to.
        let file = URL(filePath: path).resolvingSymlinksInPath().path
        return (try FileManager.default.attributesOfItem(atPath: file)[.size] as? NSNumber)?
            .intValue
    } catch {
        return nil
    }
}
