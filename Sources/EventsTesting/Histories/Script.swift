// SPDX-License-Identifier: Apache-2.0
import Events

/// One story while it is written: what happens when, in its own order.
struct Script {
    /// Where the story stands.
    private(set) var time: Timestamp
    private(set) var appends: [PlannedAppend] = []
    /// The first event of what was recorded last.
    private(set) var last: EventID?
    /// People whom this story brings in; they go with its next append.
    private var newPeople: [PersonID] = []
    /// The incident that all of it belongs to.
    var correlation: String?

    init(at time: Timestamp) {
        self.time = time
    }

    /// Lets time pass.
    mutating func pass(_ duration: Duration) {
        time = time + duration
    }

    /// Goes on at a moment, if that lies ahead.
    mutating func pass(until moment: Timestamp) {
        time = max(time, moment)
    }

    /// Brings somebody in.
    mutating func bring(_ person: PersonID) {
        newPeople.append(person)
    }

    /// Appends facts of some subjects, all or nothing.
    mutating func record(
        _ actor: Actor,
        _ facts: [(Subject, Fact)],
        because cause: EventID? = nil,
        in town: inout Town
    ) {
        var writes: [(subject: Subject, events: [Event])] = []
        for (subject, fact) in facts {
            let event = Event(
                id: town.id(at: time),
                fact: fact,
                occurredAt: claimedTime(fact, in: &town),
                causation: cause
            )
            if let known = writes.firstIndex(where: { $0.subject == subject }) {
                writes[known].events.append(event)
            } else {
                writes.append((subject, [event]))
            }
        }
        last = writes.first?.events.first?.id
        let command: Identifier<Named.Request> = town.id(at: time)
        appends.append(
            PlannedAppend(
                time: time,
                stamp: CommandStamp(
                    actor: actor,
                    command: CommandID(unchecked: "\(command)"),
                    correlation: correlation
                ),
                writes: writes.map { SubjectWrite($0.subject, $0.events) },
                newPeople: newPeople
            )
        )
        newPeople = []
    }

    mutating func record(_ actor: Actor, _ subject: Subject, _ fact: Fact, in town: inout Town) {
        record(actor, [(subject, fact)], in: &town)
    }

    /// Phones have clocks of their own, a few seconds off.
    private func claimedTime(_ fact: Fact, in town: inout Town) -> Timestamp? {
        switch fact {
        case .location, .chat(.messageSent), .patrol(.checkedIn), .report(.submitted):
            time + town.wait(-4.0...1.5)
        default: nil
        }
    }
}
