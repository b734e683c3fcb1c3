// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Synchronization
import Testing

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
        in organisation: OrganisationID = .main,
        occurredAt: Timestamp? = nil
    ) throws -> C.Outcome {
        switch try decide(command, as: actor, in: organisation, occurredAt: occurredAt) {
        case .already(let outcome, _): return outcome
        case .record(let writes):
            keep(writes, as: actor, in: organisation, occurredAt: occurredAt)
            return try #require(try command.outcome(of: writes))
        }
    }

    /// Decides a command and keeps nothing.
    func decide<C: Command>(
        _ command: C,
        as actor: Actor = Actor(unchecked: "operator/1"),
        in organisation: OrganisationID = .main,
        occurredAt: Timestamp? = nil
    ) throws -> Decision<C.Outcome> {
        var ledger = LedgerView(folds, organisation: organisation)
        let state = try command.read(&ledger)
        let request: RequestID = id()
        var context = CommandContext(
            CommandStamp(
                actor: actor,
                command: CommandID(unchecked: "\(request)"),
                organisation: organisation
            ),
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

    private func keep(
        _ writes: [Write],
        as actor: Actor,
        in organisation: OrganisationID,
        occurredAt: Timestamp?
    ) {
        for write in writes {
            shelf.add(
                write,
                id: id(),
                at: now,
                by: actor,
                in: organisation,
                occurredAt: occurredAt
            )
        }
    }
}

/// The events, numbered as the log numbers them, and found by what they are about.
private final class Shelf: Sendable {
    private struct Kept {
        var events: [RecordedEvent] = []
        var bySource: [FoldSource: [Int]] = [:]
    }

    private let kept = Mutex(Kept())

    var events: [RecordedEvent] { kept.withLock { $0.events } }

    func add(
        _ write: Write,
        id: EventID,
        at time: Timestamp,
        by actor: Actor,
        in organisation: OrganisationID,
        occurredAt: Timestamp?
    ) {
        kept.withLock { kept in
            let position = kept.events.count
            let revision = kept.bySource[.subject(write.subject), default: []].count
            let envelope = Envelope(
                id: id,
                subject: write.subject,
                kind: write.fact.kind,
                position: LogPosition(UInt64(position)),
                revision: Revision(UInt64(revision)),
                time: time,
                occurredAt: occurredAt,
                organisation: organisation,
                actor: actor,
                command: CommandID(unchecked: "c"),
                source: "daybook.example.org/test"
            )
            kept.events.append(RecordedEvent(envelope: envelope, fact: write.fact))
            kept.bySource[.subject(write.subject), default: []].append(position)
            kept.bySource[.category(String(write.subject.category)), default: []].append(position)
            for link in Set(write.fact.links) {
                kept.bySource[.links(to: link), default: []].append(position)
            }
        }
    }

    /// A page of three, so that folding in pages is what every test does.
    func events(of source: FoldSource, behind place: Place?) -> [RecordedEvent] {
        let next = place.map { Int($0.position.rawValue) + 1 } ?? 0
        return kept.withLock { kept in
            kept.bySource[source, default: []].drop { $0 < next }.prefix(3).map { kept.events[$0] }
        }
    }
}
