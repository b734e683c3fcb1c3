// SPDX-License-Identifier: Apache-2.0
import Synchronization

extension EventLog {
    /// Follows the log: catches up from a position, then stays live.
    ///
    /// Nothing is polled and no reader is held between pages; whoever reads slowly simply reads larger pages. The
    /// sequence ends when the log closes, and throws if an entry cannot be read.
    public func follow(
        from position: LogPosition,
        pageLimit: Int = LogLimits.pageEntriesDefault
    ) -> EntrySequence {
        EntrySequence(log: self, start: position, pageLimit: pageLimit)
    }

    /// Waits until the log has at least this many events, or was closed.
    ///
    /// - Returns: The size then.
    public func waitForSize(_ wanted: UInt64) async throws(CancellationError) -> UInt64 {
        let ticket = state.withLock { $0.arrivals.ticket() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isHere = state.withLock { state in
                    if state.size >= wanted || state.isOver || Task.isCancelled {
                        return true
                    }
                    state.arrivals.wait(ticket, for: wanted, continuation)
                    return false
                }
                if isHere { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.arrivals.leave(ticket) }?.resume()
        }
        if Task.isCancelled { throw CancellationError() }
        return size
    }

    /// Whether ``close()`` was called.
    public var isClosed: Bool { state.withLock { $0.refusal == .closed } }
}

/// Pages of entries, in order, without end until the log closes.
public struct EntrySequence: AsyncSequence, Sendable {
    let log: EventLog
    let start: LogPosition
    let pageLimit: Int

    public func makeAsyncIterator() -> Iterator {
        Iterator(log: log, next: start, pageLimit: pageLimit)
    }

    /// Reads one page after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let log: EventLog
        var next: LogPosition
        let pageLimit: Int

        /// The next page, as soon as it has at least one entry; `nil` once the log is closed.
        public mutating func next() async throws -> [Entry]? {
            while true {
                // Asked before the page is read: what is committed by then is in it.
                let isOver = log.state.withLock { $0.isOver }
                let page = try unlessClosed { try log.entries(from: next, limit: pageLimit) }
                guard let page else { return nil }
                if let last = page.last {
                    next = last.envelope.position.next
                    return page
                }
                if isOver { return nil }
                _ = try await log.waitForSize(next.rawValue + 1)
            }
        }

        /// The next page past what cannot be read, which the page names; `nil` once the log is closed.
        public mutating func nextRun() async throws -> ReadableRun? {
            while true {
                let isOver = log.state.withLock { $0.isOver }
                if next.rawValue < log.size {
                    let run = try unlessClosed { try log.readableRun(from: next, limit: pageLimit) }
                    if let run { next = LogPosition(run.next) }
                    return run
                }
                if isOver { return nil }
                _ = try await log.waitForSize(next.rawValue + 1)
            }
        }

        private func unlessClosed<Page>(_ read: () throws -> Page) throws -> Page? {
            do {
                return try read()
            } catch {
                // A log that closes while its end is read is no fault of the log.
                if log.isClosed { return nil }
                throw error
            }
        }
    }
}
