// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// A ledger's folder as it was when the log was opened, whatever has its name now.
///
/// What is made, replaced or removed by its name lands in the folder that has the name: below a mount point whose disk is gone,
/// in a backup that was put back, in another ledger. Files that are open stay where they are; whoever goes by a name asks here
/// first. It takes a microsecond, so that it is asked each time.
public final class HeldFolder: Sendable {
    /// Its name.
    public let path: String
    // Held open, or its inode might be given to the folder that comes after it.
    private let descriptor: Int32
    private let identity: Identity

    private struct Identity: Hashable {
        let device: dev_t
        let inode: ino_t

        init(_ facts: stat) {
            (device, inode) = (facts.st_dev, facts.st_ino)
        }
    }

    package init(_ folder: URL) throws(EventLogError) {
        path = folder.path
        descriptor = Foundation.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        var facts = stat()
        guard descriptor >= 0, fstat(descriptor, &facts) == 0 else {
            throw .cannotOpen(path: path, reason: SystemRefusal.words(errno))
        }
        identity = Identity(facts)
    }

    deinit {
        close(descriptor)
    }

    /// Whether its name leads to it.
    public var isInPlace: Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && Identity(facts) == identity
    }

    /// Refuses what goes by a name while another folder, or none, has this one's.
    ///
    /// - Throws: ``EventLogError/elsewhere(path:)``.
    public func check() throws(EventLogError) {
        guard isInPlace else { throw .elsewhere(path: path) }
    }

    /// Opens a file in the folder itself, wherever that is now; as `openat`.
    package func open(_ name: String, _ flags: Int32, _ permissions: mode_t = 0o600) -> Int32 {
        openat(descriptor, name, flags | O_CLOEXEC, permissions)
    }
}
