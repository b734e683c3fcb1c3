// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What happens when the process crashes.
enum CrashSignals {
    /// Ends a crashed process at once, as the system does.
    ///
    /// The language's own handlers write a backtrace first, for half a minute, in which the port is held and nobody is answered;
    /// the service manager could have started the gateway again long ago. Whoever wants the backtrace says so
    /// (`SWIFT_BACKTRACE`); core dumps are as the system has them.
    static func endAtOnce() {
        guard ProcessInfo.processInfo.environment["SWIFT_BACKTRACE"] == nil else { return }
        for number in [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] {
            signal(number, SIG_DFL)
        }
    }
}
