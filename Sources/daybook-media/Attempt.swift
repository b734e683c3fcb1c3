// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media

/// Tries what a decoder that a stranger's bytes took over would try, as the inspection child or as a free process.
///
/// Tests run it, to see what the kernel says.
enum Attempt: String {
    case nothing, open, socket, signal, program, code

    /// Tries it.
    ///
    /// - Parameters:
    ///   - object: The file to open, the process to signal, or the program to start.
    ///   - isConfined: Whether to give up first what the inspection child gives up.
    /// - Returns: 0 if it was let; otherwise the number of the error.
    func run(_ object: String, isConfined: Bool) -> Int32 {
        if isConfined, !InspectionWorker.confine() { return 255 }
        return isDone(object) ? 0 : errno
    }

    private func isDone(_ object: String) -> Bool {
        switch self {
        case .nothing: true
        case .open: Foundation.open(object, O_RDONLY) >= 0
        case .socket: Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) >= 0
        case .signal: kill(pid_t(object) ?? 0, 0) == 0
        case .program: starts(object)
        case .code: hasCode()
        }
    }

    private func starts(_ program: String) -> Bool {
        var child: pid_t = 0
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(program), nil]
        defer { free(arguments[0]) }
        guard posix_spawn(&child, program, nil, nil, &arguments, nil) == 0 else { return false }
        var status: Int32 = 0
        waitpid(child, &status, 0)
        return true
    }

    private func hasCode() -> Bool {
        let flags = MAP_PRIVATE | Int32(MAP_ANONYMOUS)
        return mmap(nil, 4096, PROT_READ | PROT_EXEC, flags, -1, 0) != MAP_FAILED
    }
}
