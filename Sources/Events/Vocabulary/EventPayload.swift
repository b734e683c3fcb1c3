// SPDX-License-Identifier: Apache-2.0
/// What one kind of event says: a struct with synthesized `Codable`, one for each kind.
public protocol EventPayload: Codable, Hashable, Sendable {
    /// What the program must know of the kind.
    static var row: EventKind<Self> { get }
    /// Other subjects that this event is about, by which it can be found and on which appends can be conditional.
    ///
    /// Each kind says it itself, also that there are none: a default would stand in, unseen, for a member of another type.
    /// Whoever changes one for a kind that exists gives its row another `linksDigest`; a test asks for it.
    var links: [SubjectLink] { get }
}

extension EventPayload {
    /// The kind as it stands in the log.
    public static var kind: Kind { row.kind }
    /// Every kind that is read as this one: itself, and those that were written before it.
    public static var kinds: Set<Kind> { EventCatalog.current.kinds { $0.readAs == kind } }
    /// What its line in a timeline says.
    public var summary: [SummaryPart] { Self.row.summary.compactMap { $0.part(self) } }
}

/// What can happen to one sort of subject: an enum with one case for each kind.
public protocol EventFamily: Hashable, Sendable {
    /// The payloads of all cases, and the old shapes that are read as one of them.
    static var kinds: [any EventPayload.Type] { get }
    /// The family's case of all facts.
    var fact: Fact { get }
    /// The payload inside the case.
    var payload: any EventPayload { get }
}

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
