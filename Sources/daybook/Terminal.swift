// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Replay
import Synchronization

/// What the terminal can show.
enum Terminal {
    /// Colours on a terminal, unless `NO_COLOR` asks for none.
    static var style: TextStyle {
        let wanted = ProcessInfo.processInfo.environment["NO_COLOR"] == nil
        return isatty(STDOUT_FILENO) == 1 && wanted ? .terminal : .plain
    }

    /// Says something beside the output, to whoever can hear it: a full disk or a reader who is gone ends nothing.
    static func note(_ text: String) {
        show("\(text)\n")
    }

    /// The same, as it stands.
    fileprivate static func show(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count)
            }
            guard count > 0 || (count < 0 && errno == EINTR) else { return }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// Makes sure that all that was printed has left: a password that a full disk swallowed was told to nobody.
    ///
    /// - Throws: `ValidationError` with the reason.
    static func finish() throws {
        errno = 0
        guard fflush(nil) != 0 else { return }
        let reason = errno == 0 ? EIO : errno
        throw ValidationError(
            "standard output could not be written (\(String(cString: strerror(reason)))): what was to be told is lost, and may be done"
        )
    }

    /// Gives the three standard descriptors a place where somebody closed them.
    ///
    /// Else a file of the ledger that is opened would be one of them, and what is told to people would be written into it.
    static func holdStandardDescriptors() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest one that is free: this one.
            _ = open("/dev/null", O_RDWR)
        }
    }

    /// Asks for a secret: on a terminal without showing it, else the next line of standard input.
    ///
    /// - Throws: When nothing was given.
    static func secret(_ prompt: String) throws -> String {
        let text =
            isatty(STDIN_FILENO) == 1
            ? getpass("\(prompt): ").map { String(cString: $0) } : readLine()
        guard let text, !text.isEmpty else { throw ValidationError("\(prompt) was not given") }
        return text
    }

    /// Prints a value as JSON for programs.
    static func printJSON(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}

/// A line on the terminal that tells how far long work has come; nothing where there is no terminal.
final class ProgressBar: Sendable {
    private let shown: Mutex<ContinuousClock.Instant>
    private let isShown = isatty(STDERR_FILENO) == 1
    private let began = ContinuousClock.now
    private let wasShown = Mutex(false)

    init() {
        // Short work shows none.
        shown = Mutex(ContinuousClock.now + .milliseconds(300))
    }

    /// Shows how far it is, at most ten times a second.
    func show(_ stage: String, _ done: UInt64, of total: UInt64) {
        guard isShown else { return }
        let now = ContinuousClock.now
        let isDue = shown.withLock { next in
            guard now >= next else { return false }
            next = now + .milliseconds(100)
            return true
        }
        guard isDue else { return }
        wasShown.withLock { $0 = true }
        write("\r\u{1B}[K" + line(stage, done, total, now))
    }

    /// Takes the line away.
    func clear() {
        if wasShown.withLock({ $0 }) { write("\r\u{1B}[K") }
    }

    private func line(
        _ stage: String,
        _ done: UInt64,
        _ total: UInt64,
        _ now: ContinuousClock.Instant
    ) -> String {
        guard total > 0, total < .max else { return "\(stage)  \(done)" }
        let share = min(1, Double(done) / Double(total))
        let filled = Int(share * 30)
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 30 - filled)
        let rest = share > 0.01 ? (now - began) / .seconds(1) * (1 - share) / share : 0
        return "\(stage)  \(bar) \(Int(share * 100)) %  \(done) of \(total)  \(Int(rest)) s left"
    }

    private func write(_ text: String) {
        Terminal.show(text)
    }
}
