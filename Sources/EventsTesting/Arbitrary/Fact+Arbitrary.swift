// SPDX-License-Identifier: Apache-2.0
public import Events

extension Fact {
    /// Draws a fact of any kind that is written, each as often as another.
    public static func arbitrary(using arbitrary: inout Arbitrary) -> Fact {
        let rows = EventCatalog.current.rows.filter { !$0.isRetired }
        return Self.arbitrary(of: arbitrary.element(of: rows), using: &arbitrary)
    }

    /// Draws a fact of one kind; `nil` if no such kind is written.
    public static func arbitrary(of kind: Kind, using arbitrary: inout Arbitrary) -> Fact? {
        guard let row = EventCatalog.current[kind], !row.isRetired else { return nil }
        return Self.arbitrary(of: row, using: &arbitrary)
    }

    private static func arbitrary(
        of row: EventCatalog.Row,
        using arbitrary: inout Arbitrary
    ) -> Fact {
        let drawing = DrawingDecoder(arbitrary)
        defer { arbitrary = drawing.arbitrary }
        do {
            return try row.fact(from: drawing)
        } catch {
            preconditionFailure("no \(row.kind) could be drawn: \(error)")
        }
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
