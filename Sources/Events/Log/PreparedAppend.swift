// SPDX-License-Identifier: Apache-2.0
/// An append that is encoded and sealed: all that is left is the writer's part.
public struct PreparedAppend: Sendable {
    /// The events of one subject, ready but for their tails.
    struct Write: Sendable {
        let subject: Subject
        let heads: [EntryHead]
    }

    let writes: [Write]
    let conditions: [Condition]
    let stamp: CommandStamp
    let key: CommandKey
    /// How many events it has.
    public let count: Int
    /// How many bytes its entries have, but for their tails.
    public var byteCount: Int {
        writes.reduce(0) { $0 + $1.heads.reduce(0) { $0 + $1.bytes.count } }
    }

    /// Whether somebody confirms the clock by it.
    var confirmsClock: Bool {
        writes.contains { write in
            write.subject == .clock && write.heads.contains { $0.kind == ClockConfirmed.kind }
        }
    }

    init(writes: [Write], conditions: [Condition], stamp: CommandStamp) {
        self.writes = writes
        self.conditions = conditions
        self.stamp = stamp
        key = CommandKey(stamp)
        count = writes.reduce(0) { $0 + $1.heads.count }
    }
}

extension EventLog {
    /// The entries that an append became when it was taken, byte for byte as they stand in the log.
    ///
    /// They are made again from what was prepared, so nothing is read.
    ///
    /// - Parameters:
    ///   - append: The append.
    ///   - receipt: The receipt that it got, not a repeated one: that would be of another append.
    /// - Returns: The entries in order.
    /// - Throws: ``EventLogError/damaged(position:detail:)`` if they cannot be read.
    public func entries(
        of append: PreparedAppend,
        taken receipt: Receipt
    ) throws(EventLogError) -> [Entry] {
        precondition(!receipt.repeated, "a repeated receipt is of the append that came first")
        var entries: [Entry] = []
        for write in append.writes {
            let next = receipt.revisions[write.subject].map { $0.rawValue + 1 } ?? 0
            for (offset, head) in write.heads.enumerated() {
                let tail = EntryTail(
                    position: LogPosition(receipt.first.rawValue + UInt64(entries.count)),
                    revision: Revision(next - UInt64(write.heads.count - offset)),
                    source: origin,
                    subject: write.subject,
                    time: receipt.time,
                    kind: head.kind
                )
                entries.append(try parse(head.bytes + tail.bytes, at: tail.position))
            }
        }
        return entries
    }
}

/// What identifies a command: its id is unique per actor.
///
/// The text is joined and hashed once, on the caller's thread, because the writer looks it up several times.
struct CommandKey: Hashable, Sendable {
    /// Actor and id with a byte between them that stands in neither, as the index spells it.
    let indexText: String
    private let hash: Int

    init(_ stamp: CommandStamp) {
        self.init(stamp.actor, stamp.command)
    }

    init(_ envelope: Envelope) {
        self.init(envelope.actor, envelope.command)
    }

    private init(_ actor: Actor, _ command: CommandID) {
        indexText = "\(actor.text)\0\(command.text)"
        hash = indexText.hashValue
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }

    static func == (left: CommandKey, right: CommandKey) -> Bool {
        left.hash == right.hash && left.indexText == right.indexText
    }
}
