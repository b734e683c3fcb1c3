// SPDX-License-Identifier: Apache-2.0
/// A shape that stood in logs once and is no more written.
///
/// Its bytes stay as they are; reading lifts it to the next shape, and that one to its own successor, until the current
/// one is reached. Sealed fields keep the place where they were sealed, so they still open.
///
/// A new shape of `session.created/1` is made so: the struct with the kind `/1` is renamed and made a `RetiredPayload`, the
/// new one gets the kind `/2`, and the catalog gets a row for each:
///
///     .init(SessionCreated.self) { .session(.created($0)) },
///     .init(lifting: SessionCreatedFirst.self) { .session(.created($0)) },
protocol RetiredPayload: EventPayload {
    /// The next shape: the current one, or another retired one.
    associatedtype Successor: EventPayload
    /// The same fact in the next shape.
    var lifted: Successor { get }
}

extension RetiredPayload {
    /// Whoever reads it meets its successor.
    var links: [SubjectLink] { lifted.links }
}

extension EventCatalog.Row {
    /// The row of a kind that is one step behind.
    init<Retired: RetiredPayload>(
        lifting type: Retired.Type,
        fact: @escaping @Sendable (Retired.Successor) -> Fact
    ) {
        self.init(type, isRetired: true) { fact($0.lifted) }
    }

    /// The row of a kind that is two steps behind; a third step chains `lifted` in the closure.
    init<Retired: RetiredPayload>(
        lifting type: Retired.Type,
        fact: @escaping @Sendable (Retired.Successor.Successor) -> Fact
    ) where Retired.Successor: RetiredPayload {
        self.init(type, isRetired: true) { fact($0.lifted.lifted) }
    }
}
