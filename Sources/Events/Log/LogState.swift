// SPDX-License-Identifier: Apache-2.0
/// What the parts of a log share, under one lock: never held while anything blocks.
struct LogState: Sendable {
    /// How many events are committed: the next position.
    var size: UInt64
    /// Committed and not yet in the index: answered from here until the index has it on disk.
    var unindexed = UnindexedTail()
    /// Appends that wait for the writer, oldest first.
    var waiting: [WaitingAppend] = []
    /// Whether the writer has a turn scheduled.
    var writerScheduled = false
    /// Whether the writer waits for the index to catch up.
    var writerStalled = false
    /// Why nothing is appended any more, if so.
    var refusal: EventLogError?
    /// Whether nothing is committed any more, because the log was closed.
    var isOver = false
    /// Whoever follows the live end.
    var arrivals = Arrivals()
    /// The newest signed checkpoint.
    var checkpoint: SignedCheckpoint?
    /// When it was signed, on the monotonic clock of this process.
    var checkpointedAt: Duration?
    /// Why the last checkpoint could not be kept.
    var checkpointFault: String?
    /// What was committed by this process.
    var statistics = LogStatistics()
    /// Why the index could not be written last time.
    var indexFault: String?
    /// Where entries stand that could not be read.
    var unreadable: Set<LogPosition> = []
    /// The first entry of a kind that this program does not know.
    var unknownKind: EventLogError?

    /// The refusal, if it is that an earlier commit was not confirmed.
    var poison: EventLogError? {
        guard case .poisoned = refusal else { return nil }
        return refusal
    }

    /// Takes out appends that one commit may hold, oldest first: all of them, unless they have too many events.
    mutating func takeWaiting(eventsMax: Int) -> [WaitingAppend] {
        var events = 0
        let count = waiting.firstIndex { waiting in
            events += waiting.append.count
            return events > eventsMax
        }
        var taken: [WaitingAppend] = []
        guard let count else {
            swap(&taken, &waiting)
            return taken
        }
        taken = Array(waiting.prefix(max(count, 1)))
        waiting.removeFirst(taken.count)
        return taken
    }
}

/// An append that waits, and whoever waits for its receipt.
struct WaitingAppend: Sendable {
    let append: PreparedAppend
    let answer: UnsafeContinuation<Result<Receipt, EventLogError>, Never>
}

/// A checkpoint as it was signed.
struct SignedCheckpoint: Hashable, Sendable {
    let size: UInt64
    let note: String
}

/// What a log did since it was opened.
public struct LogStatistics: Hashable, Sendable {
    /// Transactions that were synced.
    public internal(set) var commits = 0
    /// Events in them.
    public internal(set) var events = 0
}
