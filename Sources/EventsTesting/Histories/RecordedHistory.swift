// SPDX-License-Identifier: Apache-2.0
public import Events

/// A made-up history as a log would give it back: each event sealed, with position, revision and time.
///
/// For projectors and folds that need no log below them.
public struct RecordedHistory: Sequence, IteratorProtocol {
    private var history: PlausibleHistory
    private let keys: any PersonKeys
    private var waiting: ArraySlice<RecordedEvent> = []
    private var position: UInt64 = 0
    private var revisions: [Subject: UInt64] = [:]

    /// Records a history from position 0.
    ///
    /// - Parameters:
    ///   - history: What happens.
    ///   - keys: What seals it; ``SeededKeys`` has a key for everybody.
    public init(_ history: PlausibleHistory, keys: any PersonKeys) {
        self.history = history
        self.keys = keys
    }

    public mutating func next() -> RecordedEvent? {
        if waiting.isEmpty {
            guard let append = history.next() else { return nil }
            waiting = record(append)[...]
        }
        return waiting.popFirst()
    }

    private mutating func record(_ append: PlannedAppend) -> [RecordedEvent] {
        append.writes.flatMap { write in
            write.events.map { event in
                let revision = revisions[write.subject, default: 0]
                revisions[write.subject] = revision + 1
                defer { position += 1 }
                return RecordedEvent(
                    envelope: envelope(event, append, write.subject, Revision(revision)),
                    fact: sealed(event)
                )
            }
        }
    }

    private func envelope(
        _ event: Event,
        _ append: PlannedAppend,
        _ subject: Subject,
        _ revision: Revision
    ) -> Envelope {
        Envelope(
            id: event.id,
            subject: subject,
            kind: event.fact.kind,
            position: LogPosition(position),
            revision: revision,
            time: append.time,
            occurredAt: event.occurredAt,
            organisation: append.stamp.organisation,
            actor: append.stamp.actor,
            command: append.stamp.command,
            correlation: append.stamp.correlation,
            causation: event.causation,
            source: "daybook.example.org/main"
        )
    }

    private func sealed(_ event: Event) -> Fact {
        do {
            let data = try EventEncoder(keys: keys, nonces: .fromPlace).encode(
                event.fact,
                id: event.id
            )
            return try EventDecoder().decode(data[...], of: event.fact.kind, id: event.id)
        } catch {
            preconditionFailure("a made-up event could not be recorded: \(error)")
        }
    }
}
