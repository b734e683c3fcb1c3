// SPDX-License-Identifier: Apache-2.0
import CSandbox
import Foundation

/// What a process gives up before it looks at a stranger's bytes, by the kernel's means.
public enum Sandbox {
    /// Whether this machine can confine a process: Linux with seccomp filters, x86_64 or aarch64.
    public static var isAvailable: Bool { daybook_can_confine() == 1 }

    /// Why a process could not give something up.
    public struct Failure: Error, CustomStringConvertible {
        let what: String
        let code: Int32

        public var description: String { "\(what) failed: \(String(cString: strerror(code)))" }
    }

    /// Keeps other processes of the same user from tracing this one and reading its memory; it leaves no core dump.
    ///
    /// For a process that holds keys.
    public static func hide() throws(Failure) {
        let code = daybook_hide()
        guard code == 0 else { throw Failure(what: "hiding the process", code: code) }
    }

    /// Leaves this process what decoding needs: what it has open, memory, the time, and its end.
    ///
    /// From then on it opens no file, socket or process and traces nobody: whatever else it asks of the kernel ends
    /// it by `SIGSYS`. It cannot be undone, and holds for all its threads.
    ///
    /// - Throws: ``Failure``; nothing is confined then.
    static func confine() throws(Failure) {
        let code = daybook_confine()
        guard code == 0 else { throw Failure(what: "confining the process", code: code) }
    }
}
