// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Writes the lines of a log on a thread of its own, so that whoever logs never waits for whoever reads, nor ends with them.
///
/// What waits takes at most `bytesMax`. A line that finds no room there, or that the descriptor does not take (a full disk, a
/// reader who is gone), is dropped and counted; once lines are taken again, one of them says how many were lost. May be used
/// from any thread.
final class LineWriter: @unchecked Sendable {
    /// Bytes that wait for a reader who is slow.
    static let bytesMax = 1 << 20

    private let descriptor: Int32
    private let bytesMax: Int
    private let tellingOfLost: @Sendable (Int) -> String
    // Everything below is touched under `condition` only, but for `isTorn`, which is the thread's own.
    private let condition = NSCondition()
    private var waiting: [String] = []
    private var waitingBytes = 0
    private var lostInAll = 0
    private var lostUntold = 0
    private var isClosed = false
    /// Whether the last thing written is a part of a line.
    private var isTorn = false

    /// - Parameters:
    ///   - descriptor: Where to write; it stays open, and belongs to the caller.
    ///   - bytesMax: How much may wait, in bytes.
    ///   - tellingOfLost: Makes the line that says how many were lost, with its end.
    init(
        to descriptor: Int32,
        bytesMax: Int = LineWriter.bytesMax,
        tellingOfLost: @escaping @Sendable (Int) -> String
    ) {
        self.descriptor = descriptor
        self.bytesMax = bytesMax
        self.tellingOfLost = tellingOfLost
        // Holds the writer until it is closed.
        let thread = Thread { self.work() }
        thread.name = "log-lines"
        thread.start()
    }

    /// How many lines nobody was given.
    var lost: Int {
        condition.lock()
        defer { condition.unlock() }
        return lostInAll
    }

    /// Takes a line with its end; never waits.
    func add(_ line: String) {
        condition.lock()
        defer { condition.unlock() }
        guard !isClosed, waitingBytes + line.utf8.count <= bytesMax else { return lose(1) }
        waitingBytes += line.utf8.count
        waiting.append(line)
        condition.broadcast()
    }

    /// Takes no more lines, and waits so long at most until those that wait are written.
    ///
    /// - Returns: Whether they were, or were counted as lost.
    @discardableResult
    func close(within time: Duration = .seconds(1)) -> Bool {
        let end = Date.now.addingTimeInterval(time / .seconds(1))
        condition.lock()
        defer { condition.unlock() }
        isClosed = true
        condition.broadcast()
        while waitingBytes > 0 {
            guard condition.wait(until: end) else { return waitingBytes == 0 }
        }
        return true
    }

    // MARK: On the thread

    private func work() {
        Self.outliveReaders()
        while let lines = next() {
            for line in lines {
                let isThere = tellOfLost() && put(line)
                condition.lock()
                if !isThere { lose(1) }
                waitingBytes -= line.utf8.count
                condition.broadcast()
                condition.unlock()
            }
            _ = tellOfLost()
        }
    }

    /// A reader who is gone is an error of the write here, and ends nobody.
    private static func outliveReaders() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    private func next() -> [String]? {
        condition.lock()
        defer { condition.unlock() }
        while waiting.isEmpty && !isClosed { condition.wait() }
        guard !waiting.isEmpty else { return nil }
        defer { waiting = [] }
        return waiting
    }

    private func lose(_ lines: Int) {
        lostInAll += lines
        lostUntold += lines
    }

    /// Whether there is nothing to tell any more.
    private func tellOfLost() -> Bool {
        condition.lock()
        let untold = lostUntold
        condition.unlock()
        guard untold > 0 else { return true }
        guard put(tellingOfLost(untold)) else { return false }
        condition.lock()
        lostUntold -= untold
        condition.unlock()
        return true
    }

    /// Whether the descriptor took all of a line; waits for as long as it neither takes nor refuses it.
    private func put(_ line: String) -> Bool {
        // What a full disk took of an earlier line ends here.
        let bytes = Array((isTorn ? "\n" + line : line).utf8)
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
                isTorn = !rest.isEmpty
            } else if count < 0, errno == EAGAIN {
                waitUntilItTakesMore()
            } else if count == 0 || errno != EINTR {
                return false
            }
        }
        return true
    }

    private func waitUntilItTakesMore() {
        var asked = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&asked, 1, -1)
    }
}
