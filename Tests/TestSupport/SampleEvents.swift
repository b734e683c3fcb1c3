// SPDX-License-Identifier: Apache-2.0
public import Events
import EventsTesting

/// Small events for tests of the log, which does not care what they say.
public struct SampleEvents {
    private var chance: SeededGenerator
    private var clock: Int64 = 1_700_000_000_000_000

    public init(seed: UInt64 = 1) {
        chance = SeededGenerator(seed: seed)
    }

    /// A fresh identifier.
    public mutating func id<Named>() -> Identifier<Named> {
        clock += 1_000
        return Identifier(at: Timestamp(microseconds: clock), using: &chance)
    }

    /// A session that signals activity: no personal field, no link.
    public mutating func signal() -> Event {
        Event(
            id: id(),
            fact: .session(
                .activitySignalled(SessionActivitySignalled(by: .caller, activity: .typing))
            )
        )
    }

    /// A claim, which links to the operator.
    public mutating func claim(by owner: UserID) -> Event {
        Event(id: id(), fact: .session(.claimed(SessionClaimed(owner: owner))))
    }

    /// A command that nobody used yet.
    public mutating func stamp(_ actor: Actor = Actor(unchecked: "operator/1")) -> CommandStamp {
        let id: Identifier<Named.Request> = id()
        return CommandStamp(actor: actor, command: CommandID(unchecked: "\(id)"))
    }

    /// A subject that nobody used yet.
    public mutating func subject() -> Subject {
        let id: SessionID = id()
        return .session(id)
    }
}
