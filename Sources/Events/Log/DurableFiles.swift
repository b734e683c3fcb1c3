// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// A call on a file that the system refused.
package struct FileFault: Error, Hashable, CustomStringConvertible {
    package let call: String
    package let path: String
    /// Its `errno`.
    package let code: Int32

    package init(call: String, path: String, code: Int32) {
        self.call = call
        self.path = path
        self.code = code
    }

    /// Whether there was no room for it.
    package var isForWantOfRoom: Bool { code == ENOSPC || code == EDQUOT }

    package var description: String {
        isForWantOfRoom
            ? "no room for \(path): make room"
            : "\(path): \(call): \(SystemRefusal.words(code))"
    }
}

extension FileFault {
    /// Whether something failed for want of room, by whichever library's error.
    package static func isForWantOfRoom(_ error: any Error) -> Bool {
        switch error {
        case let fault as FileFault: return fault.isForWantOfRoom
        case let error as POSIXError: return [.ENOSPC, .EDQUOT].contains(error.code)
        case let error as CocoaError:
            if error.code == .fileWriteOutOfSpace { return true }
            return error.underlying.map(isForWantOfRoom) ?? false
        default: return false
        }
    }
}

/// Writes a small file, or replaces it in one step: after a power cut either the old or the new content is there.
///
/// All of it goes to one folder, whatever gets its name meanwhile. One that root makes belongs to the owner of its folder, so that a
/// command at the console takes nothing from the gateway.
///
/// - Throws: ``FileFault``; the file is then as it was.
package func writeDurably(
    _ data: Data,
    to file: URL,
    permissions: mode_t = 0o644
) throws(FileFault) {
    let folder = try OpenFolder(of: file)
    let temporary = folder.url.appending(path: ".\(file.lastPathComponent).new")
    let name = temporary.lastPathComponent
    // What a crash left, or somebody put there: nothing is written through it.
    unlinkat(folder.descriptor, name, 0)
    let descriptor = openat(
        folder.descriptor,
        name,
        O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC,
        permissions
    )
    try check(descriptor >= 0, "open", temporary)
    defer {
        close(descriptor)
        // Half a file would only take the room that it had not; what was renamed is not there any more.
        unlinkat(folder.descriptor, name, 0)
    }
    FolderOwner.give(descriptor, in: folder.url)
    var rest = data[...]
    while !rest.isEmpty {
        let written = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if written < 0, errno == EINTR { continue }
        try check(written > 0, "write", temporary)
        rest = rest.dropFirst(written)
    }
    try check(fsync(descriptor) == 0, "fsync", temporary)
    try folder.move(from: (folder.descriptor, name), to: file)
}

/// Gives a file that is on disk its name; returns once the name is, too.
package func moveDurably(_ file: URL, to name: URL) throws(FileFault) {
    try OpenFolder(of: name).move(from: (AT_FDCWD, file.path), to: name)
}

/// Returns once the names in a folder are on disk: a file that was made and synced may otherwise be gone with its name.
package func syncFolder(_ folder: URL) throws(FileFault) {
    try OpenFolder(folder).sync()
}

/// A folder that stays open across rename and fsync, or its inode may be evicted and the sync mean nothing.
private struct OpenFolder: ~Copyable {
    let url: URL
    let descriptor: Int32

    init(of file: URL) throws(FileFault) { try self.init(file.deletingLastPathComponent()) }

    init(_ folder: URL) throws(FileFault) {
        url = folder
        descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try check(descriptor >= 0, "open", folder)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func move(from: (folder: Int32, name: String), to file: URL) throws(FileFault) {
        let isDone = renameat(from.folder, from.name, descriptor, file.lastPathComponent) == 0
        try check(isDone, "rename", file)
        try sync()
    }

    func sync() throws(FileFault) { try check(fsync(descriptor) == 0, "fsync", url) }
}

private func check(_ isDone: Bool, _ call: String, _ file: URL) throws(FileFault) {
    guard isDone else { throw FileFault(call: call, path: file.path, code: errno) }
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
