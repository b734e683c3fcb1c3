// SPDX-License-Identifier: Apache-2.0
import Crypto
import Events
import Foundation

/// What keeps an auditor from looking and says nothing of the ledger: no right, no memory, too many open files.
enum OwnCondition {
    /// The system's words for it; `nil` for an error that is a matter of the file.
    static func words(_ error: any Error) -> String? {
        let code: Int32? =
            switch error {
            case SealingError.system(_, _, let errno): errno
            case let error as POSIXError: error.code.rawValue
            case CocoaError.fileReadNoPermission: EACCES
            default: nil
            }
        guard let code, [EACCES, EPERM, ENOMEM, EMFILE, ENFILE].contains(code) else { return nil }
        return String(cString: strerror(code))
    }
}

/// Files that others put there: only regular ones are read, and nobody waits for whoever would write into a pipe.
enum RegularFile {
    /// Opens a file for reading.
    ///
    /// - Throws: `POSIXError`, or ``NoFile`` for what is no regular file.
    static func open(_ path: String) throws -> FileHandle {
        let descriptor = Foundation.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw POSIXError(.EIO) }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFREG else { throw NoFile(isFolder: kind == S_IFDIR) }
        return handle
    }

    /// What stands where a file should.
    struct NoFile: Error, CustomStringConvertible {
        let isFolder: Bool
        var description: String {
            isFolder ? "it is a folder" : "it is neither a file nor a folder"
        }
    }

    /// All bytes of a file.
    static func contents(_ path: String) throws -> Data {
        try open(path).readToEnd() ?? Data()
    }

    /// Whether there is something that is neither file nor folder: opening it may wait for ever.
    static func isSpecial(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }
}

extension FileHandle {
    /// The digest of some bytes of a file; `nil` where it has not as many, or cannot be read.
    func sha256(at offset: Int, _ length: Int) -> Events.SHA256Digest? {
        var hash = SHA256()
        var rest = length
        do {
            try seek(toOffset: UInt64(offset))
            while rest > 0 {
                guard let bytes = try read(upToCount: min(rest, ReplayLimits.readBytes)),
                    !bytes.isEmpty
                else { return nil }
                hash.update(data: bytes)
                rest -= bytes.count
            }
        } catch {
            return nil
        }
        return Events.SHA256Digest(bytes: Array(hash.finalize()))
    }
}
