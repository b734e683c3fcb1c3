// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation

/// What happens when the process crashes.
enum CrashSignals {
    /// Ends a crashed process at once, as the system does.
    ///
    /// The language's own handlers write a backtrace first, for half a minute, in which the port is held and nobody is answered;
    /// the service manager could have started the gateway again long ago. Whoever wants the backtrace says so
    /// (`SWIFT_BACKTRACE`); core dumps are as the system has them.
    static func endAtOnce() {
        guard !wantsBacktrace else { return }
        for number in crashes + [SIGQUIT] { signal(number, SIG_DFL) }
    }

    /// From here on, a crash ends this process with words and the exit code of what could not run.
    ///
    /// A command that reads a log maps its file: pages that somebody wrote over may lead anywhere. What was printed before
    /// stays printed. Signals by which people end a process do what they always do, and so does a crash for whoever wants
    /// the backtrace.
    ///
    /// - Parameter folder: The ledger, or what else is read.
    static func endInWords(reading folder: URL) {
        guard !wantsBacktrace else { return }
        let command = CommandLine.arguments.dropFirst().first ?? "daybook"
        // Made before it is needed, for a process that crashed can make nothing, and never freed.
        let words = UnsafeMutableBufferPointer<UnsafeRawBufferPointer>.allocate(
            capacity: Int(crashes.max() ?? 0) + 1
        )
        words.initialize(repeating: UnsafeRawBufferPointer(start: nil, count: 0))
        for number in crashes {
            words[Int(number)] = lasting(said(of: command, folder, number))
        }
        lastWords = LastWords(bySignal: words, code: ExitCode.couldNotRun.rawValue)
        for number in crashes { signal(number) { CrashSignals.endNow($0) } }
        // Whoever quits is not kept waiting for a backtrace.
        signal(SIGQUIT, SIG_DFL)
    }

    /// By which a process ends that goes where no memory is, or that breaks a promise of its own.
    private static let crashes = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]

    private static var wantsBacktrace: Bool {
        ProcessInfo.processInfo.environment["SWIFT_BACKTRACE"] != nil
    }

    private static func said(of command: String, _ folder: URL, _ number: Int32) -> String {
        let name = String(cString: strsignal(number))
        return
            "Error: \(command) of \(folder.path) was ended by signal \(number) (\(name)): what it read there may be damaged, and what it said is not all; run daybook verify\n"
    }

    private static func lasting(_ text: String) -> UnsafeRawBufferPointer {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 1)
        bytes.copyBytes(from: text.utf8)
        return UnsafeRawBufferPointer(bytes)
    }

    /// Runs in the process that crashed: it makes nothing, takes no lock, and calls what a handler may call.
    private static func endNow(_ number: Int32) {
        guard let lastWords else { _exit(number) }
        let words = lastWords.bySignal[Int(number)]
        // There is nobody to tell that this went wrong.
        _ = write(STDERR_FILENO, words.baseAddress, words.count)
        _exit(lastWords.code)
    }
}

/// What the handler says, and what it ends with.
private struct LastWords {
    let bySignal: UnsafeMutableBufferPointer<UnsafeRawBufferPointer>
    let code: Int32
}

/// Written once, before the handlers that read it are there.
private nonisolated(unsafe) var lastWords: LastWords?
