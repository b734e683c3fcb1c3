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
            let found = try page(from: tree.size, below: size)
            try asking { try index.add(found.items, over: found.leaves, to: &tree) }
        }
        return tree
    }

    /// What the log has of a kind that nobody knows is a newer program's, unless somebody changed it.
    private func noteUndecodable(_ error: EventDecodingError, at position: LogPosition) {
        guard case .unknownKind = error else { return noteUnreadable(position) }
        state.withLock { state in
            state.unknownKind =
                state.unknownKind ?? .damaged(position: position, detail: "\(error)")
        }
    }

    private func storedTree() throws(EventLogError) -> TileBuilder {
        try asking {
            let progress = try index.progress()
            return try TileBuilder(size: progress.size) { tile in
                try index.tile(level: tile.level, number: tile.index) ?? []
            }
        }
    }

    /// What the index needs of the entries from a position on, read back from their bytes: at least one.
    ///
    /// Ends with a whole append, so that the index never stands within one. Of what cannot be read the tree has the leaf, which is of
    /// the bytes, and no table anything: nobody knows whose it is.
    private func page(
        from position: UInt64,
        below size: UInt64
    ) throws(EventLogError) -> (items: [UnindexedTail.Item], leaves: [MerkleHash]) {
        var found = try stored(from: position, count: LogLimits.eventsPerIndexCommit)
        var appends = found.chunkedByCommand()
        if appends.count == 1, found.count < EventLimits.eventsPerAppendMax {
            // An append may be longer than a page has bytes.
            while found.count < EventLimits.eventsPerAppendMax,
                position + UInt64(found.count) < size
            {
                found += try stored(
                    from: position + UInt64(found.count),
                    count: EventLimits.eventsPerAppendMax - found.count
                )
            }
            appends = Array(found.chunkedByCommand().prefix(1))
        }
        let isLast = position + UInt64(found.count) == size
        if !isLast, appends.count > 1 { appends.removeLast() }
        var items: [UnindexedTail.Item] = []
        for append in appends {
            let entries = append.compactMap(\.entry)
            guard let first = entries.first, let last = entries.last else { continue }
            let count = last.envelope.position.rawValue - first.envelope.position.rawValue + 1
            for (number, entry) in entries.enumerated() {
                items.append(item(entry, isFirst: number == 0, count: Int(count)))
            }
        }
        return (items, appends.flatMap { $0.map(\.leaf) })
    }

    /// A page of what is stored from a position on, without gaps: at least one entry.
    private func stored(
        from position: UInt64,
        count: Int
    ) throws(EventLogError) -> [StoredEntry] {
        var found: [StoredEntry] = []
        try store.page(from: LogPosition(position), limit: count) { place, bytes in
            guard place.rawValue == position + UInt64(found.count) else { return false }
            var run = ReadableRun(next: place.rawValue)
            run.take(place.rawValue, bytes)
            found.append(StoredEntry(leaf: .leaf(bytes), entry: run.entries.first))
            return true
        }
        guard !found.isEmpty else {
            throw .damaged(position: LogPosition(position), detail: "the entry is missing")
        }
        for (place, one) in zip(position..., found) where one.entry == nil {
            noteUnreadable(place...place)
            guard isPassed(place) else {
                throw .damaged(position: LogPosition(place), detail: "it cannot be read")
            }
        }
        return found
    }

    /// Whether an index may be made over bytes that are no entry: only where seals tell, at every start, that nobody committed
    /// them, or a key began with them.
    private func isPassed(_ place: UInt64) -> Bool {
        guard let memory = configuration.memory else { return false }
        return memory.sealer != nil && memory.isSealed || place < memory.begun
    }

    private func item(
        _ entry: Entry,
        isFirst: Bool,
        count: Int
    ) -> UnindexedTail.Item {
        let envelope = entry.envelope
        let links: [SubjectLink]
        do throws(EventDecodingError) {
            links = try EventDecoder().decode(entry).fact.links
        } catch {
            // Whoever asks for its subject comes upon it.
            noteUndecodable(error, at: envelope.position)
            links = []
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

/// An entry as it stands in the store.
private struct StoredEntry {
    let leaf: MerkleHash
    /// `nil` where the bytes are no entry, or one of another position.
    let entry: Entry?
}

extension [StoredEntry] {
    /// Runs of entries of the same command: each is one append, because a repeated command appends nothing.
    ///
    /// What cannot be read within one is of it.
    fileprivate func chunkedByCommand() -> [ArraySlice<StoredEntry>] {
        var runs: [ArraySlice<StoredEntry>] = []
        var start = startIndex
        // Behind the last entry of the run that can be read.
        var end = startIndex
        var command: CommandKey?
        for index in indices {
            guard let entry = self[index].entry else { continue }
            let next = CommandKey(entry.envelope)
            if let command, next != command {
                runs.append(self[start..<end])
                start = end
            }
            (command, end) = (next, index + 1)
        }
        if start < endIndex { runs.append(self[start...]) }
        return runs
    }
}
