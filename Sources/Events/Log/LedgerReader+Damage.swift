// SPDX-License-Identifier: Apache-2.0

/// Neighbouring entries of a log that cannot be read, for whoever goes on without them and says so.
public struct UnreadableEntries: Codable, Hashable, Sendable {
    /// The first position.
    public let first: UInt64
    /// The last one: mostly the same.
    public private(set) var last: UInt64
    /// What is the case with each.
    public let reason: String

    public init(_ position: UInt64, through last: UInt64? = nil, _ reason: String) {
        first = position
        self.last = last ?? position
        self.reason = reason
    }

    /// The positions, as people write them.
    public var place: String {
        first == last ? "position \(first)" : "positions \(first)...\(last)"
    }
}

extension [UnreadableEntries] {
    /// Adds what comes behind the others, as one with its neighbours where the reason is the same.
    public mutating func note(_ next: UnreadableEntries) {
        if let before = self.last, before.reason == next.reason, before.last &+ 1 == next.first {
            self[count - 1] = UnreadableEntries(before.first, through: next.last, next.reason)
        } else {
            append(next)
        }
    }
}

/// A run of a log: what can be read of it, and what cannot.
public struct ReadableRun: Sendable {
    /// In order, each at the position that it states.
    public fileprivate(set) var entries: [Entry] = []
    /// Everything between them.
    public fileprivate(set) var unreadable: [UnreadableEntries] = []
    /// The first position behind the run.
    public fileprivate(set) var next: UInt64
    /// The leaf of the last of them, read or not; `nil` where its bytes are missing.
    public fileprivate(set) var leaf: MerkleHash?

    init(next: UInt64) { self.next = next }

    fileprivate mutating func leaveOut(through last: UInt64, _ reason: String) {
        unreadable.note(UnreadableEntries(next, through: last, reason))
        next = last + 1
        leaf = nil
    }
}

extension LedgerReader {
    /// Reads on past damage: whatever is wrong with single entries or pages, the run goes on behind it.
    ///
    /// What can be read need not be what was recorded: that, `daybook verify` tells.
    ///
    /// - Parameters:
    ///   - position: Where it begins, below `end`.
    ///   - end: Where it ends at the latest.
    ///   - limit: How many entries at most.
    /// - Returns: At least one position, read or not.
    public func readableRun(
        from position: UInt64,
        below end: UInt64,
        limit: Int = LogLimits.pageEntriesDefault
    ) -> ReadableRun {
        var run = ReadableRun(next: position)
        do {
            try store.page(from: LogPosition(position), limit: limit) { place, bytes in
                guard place.rawValue < end else { return false }
                run.take(place.rawValue, bytes)
                return true
            }
        } catch {
            // A page between two that can be read: each entry of it fails alone.
            run.leaveOut(through: run.next, "\(error)")
        }
        if run.next == position { run.leaveOut(through: end - 1, Self.isMissing) }
        return run
    }

    fileprivate static let isMissing = "it is missing"
}

extension ReadableRun {
    /// Takes what stands at a place; what stands there twice is passed.
    mutating func take(_ place: UInt64, _ bytes: UnsafeRawBufferPointer) {
        // Rows of forged pages may come in any order.
        guard place >= next else { return }
        if place > next { leaveOut(through: place - 1, LedgerReader.isMissing) }
        do {
            guard bytes.count <= EventLimits.entryBytesMax else { throw Fault.tooLong }
            let entry = try Entry(parsing: [UInt8](bytes))
            let stated = entry.envelope.position.rawValue
            guard stated == place else { throw Fault.elsewhere(stated) }
            entries.append(entry)
            next = place + 1
            leaf = entry.leafHash
        } catch {
            leaveOut(through: place, "\(error)")
            leaf = MerkleHash.leaf(bytes)
        }
    }

    private enum Fault: Error, CustomStringConvertible {
        case tooLong
        case elsewhere(UInt64)

        var description: String {
            switch self {
            case .tooLong: "it is longer than any entry may be"
            case .elsewhere(let stated): "it says that its position is \(stated)"
            }
        }
    }
}
