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
