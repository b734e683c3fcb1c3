// SPDX-License-Identifier: Apache-2.0
import Events
public import Foundation

/// What the walking process does: it alone maps the files, so that damage in them can kill nothing else.
public enum Walker {
    /// What there is to walk over.
    public enum Part: String, Sendable, CaseIterable {
        case log
        case index
    }

    /// Walks over a part of a ledger and writes what it finds to a descriptor, as messages.
    ///
    /// - Parameters:
    ///   - part: Log or index.
    ///   - folder: The ledger's folder.
    ///   - start: The first position wanted of the log.
    ///   - descriptor: A pipe to whoever started this process.
    public static func walk(
        _ part: Part,
        of folder: URL,
        from start: UInt64,
        to descriptor: Int32
    ) {
        // A crash here is an answer, not something to be kept on disk.
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        signal(SIGPIPE, SIG_DFL)
        let output = WalkOutput(descriptor: descriptor)
        output.send(.hello, WalkMessage.version)
        do {
            switch part {
            case .log: try walkLog(folder, from: LogPosition(start), output)
            case .index: try walkIndex(folder, output)
            }
            output.send(.end)
        } catch {
            output.send(.failure, isOwnCondition(error) ? 1 : 0, "\(error)")
        }
        output.flush()
    }

    /// Whether the system kept it from being opened: no memory, no right, too many open files.
    ///
    /// Of the file that tells nothing.
    private static func isOwnCondition(_ error: any Error) -> Bool {
        guard case .cannotOpen(_, let reason)? = error as? EventLogError else { return false }
        return [ENOMEM, EACCES, EPERM, EMFILE, ENFILE].contains { reason.hasSuffix("(\($0))") }
    }

    private static func walkLog(
        _ folder: URL,
        from start: LogPosition,
        _ output: WalkOutput
    ) throws {
        let store = try EntryStore.open(folder)
        for (name, value) in try store.allFacts() { output.send(.fact, 0, "\(name)\0\(value)") }
        for name in try store.foreignTables() { output.send(.table, 0, name) }
        for (size, note) in try store.checkpointNotes() { output.send(.checkpoint, size, note) }
        // Read behind the checkpoints, so that beside a gateway none of them covers more than this.
        let (size, seal) = try store.sealedEnd()
        // Again, since a commit may have come behind the other facts.
        if let seal { output.send(.fact, 0, "\(CommitSeal.factName)\0\(seal)") }
        output.send(.size, size)
        output.flush()
        var next = start
        while next.rawValue < size {
            let reached = next
            try store.page(from: next, limit: LogLimits.eventsPerCommitMax) { place, bytes in
                guard place >= next, place.rawValue < size else { return false }
                if bytes.count > EventLimits.entryBytesMax {
                    output.send(.oversized, place.rawValue)
                } else {
                    output.send(.entry, place.rawValue, bytes)
                }
                next = place.next
                return true
            }
            guard next > reached else {
                throw EventLogError.damaged(
                    position: next,
                    detail: "no entry follows, though the log says that it has \(size)"
                )
            }
        }
    }

    private static func walkIndex(_ folder: URL, _ output: WalkOutput) throws {
        let index = try IndexReader.open(folder)
        output.send(.size, index.size)
        for name in try index.foreignTables() { output.send(.table, 0, name) }
        try index.tiles { level, number, bytes in
            output.send(.tile, UInt64(level) << 56 | number, bytes)
        }
        let sums = try index.sums()
        for table in IndexSums.Table.allCases {
            var numbers = (sums[table].count.littleEndian, sums[table].sum.littleEndian)
            withUnsafeBytes(of: &numbers) { output.send(.sum, UInt64(table.rawValue), $0) }
        }
        if !index.isSteady { output.send(.unsteady) }
    }
}
