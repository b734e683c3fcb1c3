// SPDX-License-Identifier: Apache-2.0
public import Events
public import Foundation

extension PlausibleHistory {
    /// Writes the rest of the history into a ledger that has no entry, each event at its own time.
    ///
    /// Nothing waits for a commit of its own, so that a million events are there in less than a minute.
    ///
    /// - Parameters:
    ///   - folder: The ledger's folder; made if missing.
    ///   - origin: The ledger's name.
    ///   - keys: Have a key for everybody, such as ``SeededKeys``.
    /// - Returns: Size and root.
    /// - Throws: What encoding, checking or writing an entry throws; then nothing is left.
    @discardableResult
    public mutating func restore(
        into folder: URL,
        origin: String,
        keys: any PersonKeys
    ) throws -> RestoredLog {
        var entries = HistoryEntries(self, origin: origin, keys: keys)
        left = 0
        return try EventLog.restore(into: folder) { try entries.next() }
    }
}

/// A made-up history as the bytes of a log, made some thousand at a time on all cores.
private struct HistoryEntries {
    private static let appendsAtOnce = 4_096

    private var history: PlausibleHistory
    private let origin: String
    private let encoder: EventEncoder
    private var waiting: ArraySlice<[UInt8]> = []
    private var position: UInt64 = 0
    private var revisions: [Subject: Revision] = [:]

    init(_ history: PlausibleHistory, origin: String, keys: any PersonKeys) {
        self.history = history
        self.origin = origin
        encoder = EventEncoder(keys: keys, nonces: .fromPlace)
    }

    mutating func next() throws -> [UInt8]? {
        if waiting.isEmpty { waiting = try encodeMore() }
        return waiting.popFirst()
    }

    private mutating func encodeMore() throws -> ArraySlice<[UInt8]> {
        var appends: [PlannedAppend] = []
        while appends.count < Self.appendsAtOnce, let append = history.next() {
            appends.append(append)
        }
        let heads = try heads(of: appends)
        var entries: [[UInt8]] = []
        for (append, heads) in zip(appends, heads) {
            for (write, heads) in zip(append.writes, heads) {
                for head in heads { entries.append(place(head, write.subject, append.time)) }
            }
        }
        return entries[...]
    }

    private mutating func place(
        _ head: EntryHead,
        _ subject: Subject,
        _ time: Timestamp
    ) -> [UInt8] {
        let revision = revisions[subject]?.next ?? Revision(0)
        revisions[subject] = revision
        defer { position += 1 }
        return head.entry(
            at: LogPosition(position),
            revision,
            of: subject,
            time: time,
            source: origin
        )
    }

    /// Encodes and seals on all cores, in order: one list for each subject of each append.
    private func heads(of appends: [PlannedAppend]) throws -> [[[EntryHead]]] {
        var results: [Result<[[EntryHead]], any Error>?] = Array(
            repeating: nil,
            count: appends.count
        )
        results.withUnsafeMutableBufferPointer { buffer in
            // Each turn writes its own element alone.
            nonisolated(unsafe) let places = buffer
            DispatchQueue.concurrentPerform(iterations: appends.count) { number in
                places[number] = Result { try heads(of: appends[number]) }
            }
        }
        return try results.map { result in
            guard let result else { preconditionFailure("every append was encoded") }
            return try result.get()
        }
    }

    private func heads(of append: PlannedAppend) throws -> [[EntryHead]] {
        try append.writes.map { write in
            try write.events.map { event in
                try EntryHead(
                    event,
                    data: encoder.encode(event.fact, id: event.id),
                    stamp: append.stamp
                )
            }
        }
    }
}
