import Events
import EventsTesting
import Synchronization
import Testing

// SPDX-License-Identifier: Apache-2.0
@testable import Commands

/// Commands over an array: each is decided and its facts are kept, one after another, by a clock
/// that is moved by hand.
final class MemoryLedger {
    private let shelf = Shelf()
    private let folds: FoldStore
    private var chance: SeededGenerator
    private(set) var now = Timestamp(microseconds: 1_700_000_000_000_000)

    init(seed: UInt64 = 1) {
        chance = SeededGenerator(seed: seed)
        let shelf = shelf
        folds = FoldStore(capacity: 64) { source, place in shelf.events(of: source, behind: place) }
    }

    /// Everything that was recorded.
    var events: [RecordedEvent] { shelf.events }

    /// Lets time pass.
    func wait(_ duration: Duration) { now = now + duration }

    /// A fresh identifier.
    func id<Named>() -> Identifier<Named> { Identifier(at: now, using: &chance) }

    /// A new person.
    func person() -> PersonID { id() }

    /// Decides a command, keeps its facts, and gives its outcome.
    @discardableResult
    func run<C: Command>(
        _ command: C,
        as actor: Actor = Actor(unchecked: "operator/1"),
        occurredAt: Timestamp? = nil
    ) throws -> C.Outcome {
        switch try decide(command, as: actor, occurredAt: occurredAt) {
        case .already(let outcome, _): return outcome
        case .record(let writes):
            keep(writes, as: actor, occurredAt: occurredAt)
            return try #require(try command.outcome(of: writes))
        }
    }

    /// Decides a command and keeps nothing.
    func decide<C: Command>(
        _ command: C,
        as actor: Actor = Actor(unchecked: "operator/1"),
        occurredAt: Timestamp? = nil
    ) throws -> Decision<C.Outcome> {
        var ledger = LedgerView(folds, organisation: .main)
        let state = try command.read(&ledger)
        let request: RequestID = id()
        var context = CommandContext(
            CommandStamp(actor: actor, command: CommandID(unchecked: "\(request)")),
            now: now,
            occurredAt: occurredAt,
            using: &chance
        )
        return try command.decide(state, &context)
    }

    /// The state of a thing now.
    func state<State: Fold>(_ type: State.Type, _ id: State.ID) throws -> State {
        try folds.current(type, id).state
    }

    /// How many facts a command would record.
    func count<C: Command>(_ command: C) throws -> Int {
        guard case .record(let writes) = try decide(command) else { return 0 }
        return writes.count
    }

    private func keep(_ writes: [Write], as actor: Actor, occurredAt: Timestamp?) {
        for write in writes {
            shelf.add(write, id: id(), at: now, by: actor, occurredAt: occurredAt)
        }
    }
}

/// The events, numbered as the log numbers them.
private final class Shelf: Sendable {
    private let kept = Mutex<(events: [RecordedEvent], sizes: [Subject: UInt64])>(([], [:]))

    var events: [RecordedEvent] { kept.withLock { $0.events } }

    func add(
        _ write: Write,
        id: EventID,
        at time: Timestamp,
        by actor: Actor,
        occurredAt: Timestamp?
    ) {
        kept.withLock { kept in
            let revision = kept.sizes[write.subject, default: 0]
            kept.sizes[write.subject] = revision + 1
            let envelope = Envelope(
                id: id,
                subject: write.subject,
                kind: write.fact.kind,
                position: LogPosition(UInt64(kept.events.count)),
                revision: Revision(revision),
                time: time,
                occurredAt: occurredAt,
                actor: actor,
                command: CommandID(unchecked: "c"),
                source: "daybook.example.org/test"
            )
            kept.events.append(RecordedEvent(envelope: envelope, fact: write.fact))
        }
    }

    /// A page of three, so that folding in pages is what every test does.
    func events(of source: FoldSource, behind place: Place?) -> [RecordedEvent] {
        let next = place.map { Int($0.position.rawValue) + 1 } ?? 0
        return kept.withLock { kept in
            Array(kept.events[next...].lazy.filter { $0.belongs(to: source) }.prefix(3))
        }
    }
}

extension RecordedEvent {
    /// Whether a fold of that source takes the event in.
    func belongs(to source: FoldSource) -> Bool {
        switch source {
        case .subject(let subject): envelope.subject == subject
        case .links(let subject): fact.links.contains(subject)
        }
    }
}
