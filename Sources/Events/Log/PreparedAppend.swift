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

    /// How many events it has.
    public var count: Int { writes.reduce(0) { $0 + $1.heads.count } }
}

/// What identifies a command: its id is unique per actor.
struct CommandKey: Hashable, Sendable {
    let actor: Actor
    let command: CommandID

    init(_ stamp: CommandStamp) {
        actor = stamp.actor
        command = stamp.command
    }

    init(_ envelope: Envelope) {
        actor = envelope.actor
        command = envelope.command
    }
}
