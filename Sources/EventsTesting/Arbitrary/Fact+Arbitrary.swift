// SPDX-License-Identifier: Apache-2.0
public import Events

extension Fact {
    /// Draws a fact of any kind, each as often as another.
    public static func arbitrary(using arbitrary: inout Arbitrary) -> Fact {
        arbitrary.element(of: ArbitraryFacts.all).draw(&arbitrary)
    }

    /// Draws a fact of one kind; `nil` if no such kind is drawn.
    public static func arbitrary(of kind: Kind, using arbitrary: inout Arbitrary) -> Fact? {
        ArbitraryFacts.all.first { $0.kind == kind }?.draw(&arbitrary)
    }
}

extension Event {
    /// Draws an event of any kind.
    public static func arbitrary(using arbitrary: inout Arbitrary) -> Event {
        Event(
            id: arbitrary.id(),
            fact: .arbitrary(using: &arbitrary),
            occurredAt: arbitrary.maybe { $0.timestamp() },
            causation: arbitrary.maybe { $0.id() }
        )
    }
}

/// How a fact of each kind is drawn.
public enum ArbitraryFacts {
    /// One kind and its draw.
    public struct Row: Sendable {
        public let kind: Kind
        let draw: @Sendable (inout Arbitrary) -> Fact

        init<Payload: EventPayload>(
            _ fact: @escaping @Sendable (Payload) -> Fact,
            draw: @escaping @Sendable (inout Arbitrary) -> Payload
        ) {
            kind = Payload.kind
            self.draw = { fact(draw(&$0)) }
        }
    }

    /// Every kind of the vocabulary.
    public static let all: [Row] =
        sessions + incidents + devices + users + streams + chats + locations + reports + alerts
        + patrols + access + people + ledger
}
