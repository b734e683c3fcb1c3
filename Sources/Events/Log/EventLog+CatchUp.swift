// SPDX-License-Identifier: Apache-2.0
import Synchronization

extension EventLog {
    /// Brings the index up to the log and finds the live end.
    ///
    /// - Returns: The tree over everything.
    func catchUp() throws(EventLogError) -> TileBuilder {
        let size = try store.size()
        // What is on disk was published by who wrote it; nobody else writes now.
        state.withLock { $0.size = size }
        var tree = try storedTree()
        while tree.size < size {
            let items = try self.items(from: LogPosition(tree.size), size: size)
            guard !items.isEmpty else {
                throw .damaged(position: LogPosition(tree.size), detail: "the entry is missing")
            }
            try asking { try index.add(items, to: &tree) }
        }
        return tree
    }

    private func storedTree() throws(EventLogError) -> TileBuilder {
        try asking {
            let progress = try index.progress()
            return try TileBuilder(size: progress.size) { tile in
                try index.tile(level: tile.level, number: tile.index) ?? []
            }
        }
    }

    /// What the index needs of the entries from a position on, read back from their bytes.
    ///
    /// Ends with a whole append, so that the index never stands within one.
    private func items(
        from position: LogPosition,
        size: UInt64
    ) throws(EventLogError) -> [UnindexedTail.Item] {
        var entries = try entries(from: position, limit: LogLimits.eventsPerIndexCommit)
        try checkGapless(entries, from: position)
        var appends = entries.chunkedByCommand()
        if appends.count == 1, entries.count < EventLimits.eventsPerAppendMax {
            // An append may be longer than a page has bytes.
            entries = try self.entries(from: position, count: EventLimits.eventsPerAppendMax)
            try checkGapless(entries, from: position)
            appends = Array(entries.chunkedByCommand().prefix(1))
            entries = appends.flatMap { $0 }
        }
        let isLast = position.rawValue + UInt64(entries.count) == size
        if !isLast, appends.count > 1 { appends.removeLast() }
        var items: [UnindexedTail.Item] = []
        for append in appends {
            for (offset, entry) in append.enumerated() {
                items.append(try item(entry, isFirst: offset == 0, count: append.count))
            }
        }
        return items
    }

    private func checkGapless(
        _ entries: [Entry],
        from position: LogPosition
    ) throws(EventLogError) {
        for (expected, entry) in zip(position.rawValue..., entries)
        where entry.envelope.position.rawValue != expected {
            throw .damaged(
                position: LogPosition(expected),
                detail: "the entry there says that its position is \(entry.envelope.position)"
            )
        }
    }

    private func item(
        _ entry: Entry,
        isFirst: Bool,
        count: Int
    ) throws(EventLogError) -> UnindexedTail.Item {
        let envelope = entry.envelope
        let links: [SubjectLink]
        do {
            links = try EventDecoder().decode(entry).fact.links
        } catch {
            throw .damaged(position: envelope.position, detail: "\(error)")
        }
        return UnindexedTail.Item(
            id: envelope.id,
            position: envelope.position,
            revision: envelope.revision,
            subject: envelope.subject,
            kind: envelope.kind,
            links: links,
            leafHash: entry.leafHash,
            command: isFirst ? CommandKey(envelope) : nil,
            count: count
        )
    }
}

extension [Entry] {
    /// Runs of entries of the same command: each is one append, because a repeated command appends nothing.
    fileprivate func chunkedByCommand() -> [ArraySlice<Entry>] {
        var runs: [ArraySlice<Entry>] = []
        var start = startIndex
        for index in indices
        where index > start && CommandKey(self[index].envelope) != CommandKey(self[start].envelope)
        {
            runs.append(self[start..<index])
            start = index
        }
        if start < endIndex { runs.append(self[start...]) }
        return runs
    }
}
