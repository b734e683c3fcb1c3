// SPDX-License-Identifier: Apache-2.0
public import Events
public import EventsTesting

/// Writes recorded events by hand, without a log: ids, positions, revisions and times follow from the order.
///
/// Personal fields are sealed as in a log, under keys that the script makes up. The same seed gives the same ids and keys.
public struct EventScript: Sendable {
    /// What was recorded, in order, from position 0.
    public private(set) var events: [RecordedEvent] = []
    /// The keys of the people in it.
    public private(set) var keys: [PersonID: PersonKey] = [:]
    /// The time that the next event gets.
    public var now = Timestamp(microseconds: 1_795_000_000_000_000)
    /// Where ids, keys and random choices come from.
    public var chance: SeededGenerator
    private var revisions: [Subject: Revision] = [:]

    public init(seed: UInt64 = 1) {
        chance = SeededGenerator(seed: seed)
    }

    /// A fresh identifier.
    public mutating func id<Named>() -> Identifier<Named> {
        Identifier(at: now, using: &chance)
    }

    /// Somebody new, with a key.
    public mutating func person() -> PersonID {
        let person: PersonID = id()
        keys[person] = PersonKey(using: &chance)
        return person
    }

    /// Records one event.
    ///
    /// - Parameters:
    ///   - fact: What happened; open personal fields are sealed.
    ///   - subject: Whose event it is.
    ///   - actor: Who asked for it.
    ///   - occurredAt: When a device claims that it happened.
    ///   - cause: The event that it follows from.
    ///   - pause: How much later than the event before it.
    /// - Returns: The event as a reader of the log gets it.
    /// - Throws: What sealing or reading back throws.
    @discardableResult
    public mutating func record(
        _ fact: Fact,
        on subject: Subject,
        by actor: Actor = .ledger,
        occurredAt: Timestamp? = nil,
        because cause: EventID? = nil,
        after pause: Duration = .seconds(1)
    ) throws -> RecordedEvent {
        now = now + pause
        let event: EventID = id()
        let data = try EventEncoder(keys: keys).encode(fact, id: event)
        let sealed = try EventDecoder().decode(data[...], of: fact.kind, id: event)
        let revision = revisions[subject].map(\.next) ?? Revision(0)
        revisions[subject] = revision
        let command: Identifier<Named.Request> = id()
        let envelope = Envelope(
            id: event,
            subject: subject,
            kind: fact.kind,
            position: LogPosition(UInt64(events.count)),
            revision: revision,
            time: now,
            occurredAt: occurredAt,
            actor: actor,
            command: CommandID(unchecked: command.description),
            causation: cause,
            source: Self.origin
        )
        let recorded = RecordedEvent(envelope: envelope, fact: sealed)
        events.append(recorded)
        return recorded
    }

    /// Destroys a person's key, as an erasure does; the event is recorded besides.
    public mutating func destroyKey(of person: PersonID) {
        keys[person] = nil
    }

    /// The ledger that the events say they are of.
    public static let origin = "script.example.org/main"
}
