// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// What a library's error says, in our words: the file, why the system refused, and the way out.
///
/// Errors of ours have words of their own; those of Foundation are printed with their domains and dictionaries otherwise.
enum LibraryFault {
    /// - Returns: `nil` for an error that is none of Foundation's.
    static func words(for error: any Error) -> String? {
        switch error {
        case let error as CocoaError:
            let place = error.filePath ?? error.url?.path ?? "a file"
            guard let code = code(of: error) else { return "\(place): \(plain(error))" }
            return "\(place): \(SystemRefusal.words(code))"
        case let error as POSIXError:
            return SystemRefusal.words(error.code.rawValue)
        default: return nil
        }
    }

    /// The `errno` behind it.
    private static func code(of error: CocoaError) -> Int32? {
        if let system = error.underlying as? POSIXError { return system.code.rawValue }
        return switch error.code {
        case .fileNoSuchFile, .fileReadNoSuchFile: ENOENT
        case .fileReadNoPermission, .fileWriteNoPermission: EACCES
        case .fileWriteVolumeReadOnly: EROFS
        case .fileWriteOutOfSpace: ENOSPC
        default: nil
        }
    }

    private static func plain(_ error: CocoaError) -> String {
        let text = error.localizedDescription
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }
}
