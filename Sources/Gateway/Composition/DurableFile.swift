// SPDX-License-Identifier: Apache-2.0
import Events
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

    /// As ``Events/writeDurably(_:to:permissions:)``.
    ///
    /// - Throws: ``StartError/noRoom(_:)``, or ``StartError/folder(_:reason:)`` with the call that failed.
    static func write(_ data: Data, to file: URL, permissions: mode_t) throws(StartError) {
        do { try writeDurably(data, to: file, permissions: permissions) } catch {
            throw StartError(error)
        }
    }

    /// As ``Events/moveDurably(_:to:)``.
    static func move(_ file: URL, to name: URL) throws(StartError) {
        do { try moveDurably(file, to: name) } catch { throw StartError(error) }
    }

    /// As ``Events/syncFolder(_:)``.
    static func syncFolder(_ folder: URL) throws(StartError) {
        do { try Events.syncFolder(folder) } catch { throw StartError(error) }
    }
}

extension StartError {
    fileprivate init(_ fault: FileFault) {
        self =
            fault.isForWantOfRoom
            ? .noRoom(fault.path)
            : .folder(
                fault.path,
                reason: "\(fault.call): \(String(cString: strerror(fault.code)))"
            )
    }
}
