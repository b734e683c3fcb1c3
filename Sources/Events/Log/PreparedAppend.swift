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
