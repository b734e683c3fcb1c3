// SPDX-License-Identifier: Apache-2.0
import Synchronization

extension LedgerReader {
    /// One entry; `nil` if the log is shorter.
    public func entry(at position: LogPosition) throws(EventLogError) -> Entry? {
        guard let bytes = try store.bytes(at: position) else { return nil }
        return try parse(bytes, at: position)
    }

    /// A page of the log from a position on, empty at its end.
    public func entries(
        from position: LogPosition,
        limit: Int = LogLimits.pageEntriesDefault
    ) throws(EventLogError) -> [Entry] {
        var raw: [(LogPosition, [UInt8])] = []
        try store.page(from: position, limit: limit) { place, bytes in
            raw.append((place, [UInt8](bytes)))
            return true
        }
        return try raw.map { place, bytes throws(EventLogError) in try parse(bytes, at: place) }
    }

    /// All entries of a subject that are committed now, in order.
    public func entries(of subject: Subject) throws(EventLogError) -> [Entry] {
        try entries(at: positions(of: subject))
    }

    /// All entries that link to a subject and are committed now, in log order.
    public func entries(linkedTo subject: Subject) throws(EventLogError) -> [Entry] {
        try entries(at: positions(linkedTo: subject))
    }

    /// Where the entries of a subject stand.
    public func positions(of subject: Subject) throws(EventLogError) -> [LogPosition] {
        let scanned = try scannedTail().positions(of: subject)
        return try indexed { index in
            try index.positions(of: subject, from: Revision(0), limit: .max)
        } + scanned
    }

    /// Where the entries that link to a subject stand.
    public func positions(linkedTo subject: Subject) throws(EventLogError) -> [LogPosition] {
        let scanned = try scannedTail().positions(linkedTo: subject)
        return try indexed { index in
            try index.positions(
                linkedTo: subject,
                as: LinkRole.allCases,
                from: LogPosition(0),
                limit: .max
            )
        } + scanned
    }

    /// Where the entries of a kind stand.
    public func positions(of kind: Kind) throws(EventLogError) -> [LogPosition] {
        let scanned = try scannedTail().positions(of: kind)
        return try indexed { index in
            try index.positions(of: kind, from: LogPosition(0), limit: .max)
        } + scanned
    }

    /// The position of the first entry recorded at or after a time; the size of the log if there is none.
    public func position(at time: Timestamp) throws(EventLogError) -> LogPosition {
        let size = try size()
        var (low, high) = (UInt64(0), size)
        while low < high {
            let middle = low + (high - low) / 2
            guard let entry = try entry(at: middle, orBehindBelow: high) else {
                // Nothing there can be read.
                high = middle
                continue
            }
            let place = entry.envelope.position.rawValue
            if entry.envelope.time < time { low = place + 1 } else { high = middle }
        }
        // What cannot be read may have been recorded before.
        while goesPastDamage, low < size,
            let gap = readableRun(from: low, below: size, limit: 1).unreadable.first,
            gap.first == low
        {
            low = gap.last + 1
        }
        return LogPosition(low)
    }

    /// An entry; where it cannot be read and damage is gone past, the first one behind it that can.
    private func entry(
        at position: UInt64,
        orBehindBelow end: UInt64
    ) throws(EventLogError) -> Entry? {
        guard goesPastDamage else { return try entry(at: LogPosition(position)) }
        var next = position
        while next < end {
            let run = readableRun(from: next, below: end, limit: 1)
            if let entry = run.entries.first { return entry }
            next = run.next
        }
        return nil
    }

    /// The entries at these positions, in that order.
    public func entries(at positions: [LogPosition]) throws(EventLogError) -> [Entry] {
        try positions.map { position throws(EventLogError) in
            guard let entry = try entry(at: position) else {
                throw .damaged(
                    position: position,
                    detail: "the index names it, the log does not have it"
                )
            }
            return entry
        }
    }

    /// Positions from the index, without those that it got after this reader looked at it first.
    private func indexed(
        _ ask: (LogIndex) throws -> [LogPosition]
    ) throws(EventLogError) -> [LogPosition] {
        guard let index else { return [] }
        do {
            return try ask(index).filter { $0.rawValue < indexed }
        } catch {
            throw .unreadable(detail: "index: \(error)")
        }
    }

    private func parse(_ bytes: [UInt8], at position: LogPosition) throws(EventLogError) -> Entry {
        do {
            return try Entry(parsing: bytes)
        } catch {
            throw .damaged(position: position, detail: error.reason)
        }
    }
}
