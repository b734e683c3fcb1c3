// SPDX-License-Identifier: Apache-2.0
/// A shape that stood in logs once and is no more written.
///
/// Its bytes stay as they are; reading lifts it to the next shape, and that one to its own successor, until the current
/// one is reached. Sealed fields keep the place where they were sealed, so they still open.
///
/// A new shape of `session.created/1` is made so: the struct with the kind `/1` is renamed and made a `RetiredPayload` with the row
/// `EventKind(lifting: "session.created/1")`, the new one gets the kind `/2`, and its family lists both.
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
