// SPDX-License-Identifier: Apache-2.0
/// Decides, entry by entry, whether bytes can be the log of some ledger.
struct RestoreCheck {
    private(set) var origin: String?
    private(set) var size: UInt64 = 0
    private var tree = MerkleFrontier()
    private var lastTime = Timestamp(microseconds: .min)
    private var lastCommand: CommandKey?
    private var revisions: [Subject: Revision] = [:]
    private var ids: Set<UUIDv7> = []
    private var commands: Set<CommandMark> = []
    private let decoder = EventDecoder()

    /// The root of the tree over what was accepted.
    var root: MerkleHash { tree.root }

    /// Accepts the next entry.
    ///
    /// - Returns: Its position.
    /// - Throws: ``EventLogError/damaged(position:detail:)`` with what is wrong.
    mutating func accept(_ bytes: [UInt8]) throws(EventLogError) -> LogPosition {
        let position = LogPosition(size)
        guard bytes.count <= EventLimits.entryBytesMax else {
            throw damage("it has \(bytes.count) bytes, the limit is \(EventLimits.entryBytesMax)")
        }
        let entry: Entry
        do {
            try CanonicalJSON.check(bytes)
            entry = try Entry(parsing: bytes)
            _ = try decoder.decode(entry)
        } catch {
            throw damage("\(error)")
        }
        try check(entry.envelope)
        tree.append(entry.leafHash)
        size += 1
        return position
    }

    private mutating func check(_ envelope: Envelope) throws(EventLogError) {
        guard envelope.position.rawValue == size else {
            throw damage("the entry there says that its position is \(envelope.position)")
        }
        guard origin ?? envelope.source == envelope.source else {
            throw damage("its source is \(envelope.source), that of the entries before is another")
        }
        let expected = revisions[envelope.subject]?.next ?? Revision(0)
        guard envelope.revision == expected else {
            throw damage("its revision is \(envelope.revision) where \(expected) follows")
        }
        guard envelope.time >= lastTime else {
            throw damage("its time \(envelope.time) is before that of the entry before it")
        }
        guard ids.insert(envelope.id.uuid).inserted else {
            throw damage("its id \(envelope.id) was used before")
        }
        let command = CommandKey(envelope)
        if command != lastCommand, !commands.insert(CommandMark(command)).inserted {
            throw damage("its command \(envelope.command) of \(envelope.actor) was taken before")
        }
        origin = envelope.source
        revisions[envelope.subject] = envelope.revision
        lastTime = envelope.time
        lastCommand = command
    }

    private func damage(_ detail: String) -> EventLogError {
        .damaged(position: LogPosition(size), detail: detail)
    }
}

/// 16 bytes that stand for a command: a log may hold a billion, whose texts would fill the memory.
///
/// Two commands share one with a chance of 2⁻¹²⁸, and which do differs from process to process, so nobody can prepare a
/// log that is refused for it.
private struct CommandMark: Hashable {
    private let low: Int
    private let high: Int

    init(_ command: CommandKey) {
        low = Self.half(0, command)
        high = Self.half(1, command)
    }

    private static func half(_ number: UInt8, _ command: CommandKey) -> Int {
        var hasher = Hasher()
        hasher.combine(number)
        hasher.combine(command.indexText)
        return hasher.finalize()
    }
}
