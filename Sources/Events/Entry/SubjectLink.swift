// SPDX-License-Identifier: Apache-2.0
/// Another subject that an event is about, and as what.
///
/// Events are found by either; a condition or a fold names both, so that whoever is looked at or mentioned in passing
/// makes no decision stale. Links are derived from the payload: they stand in the index alone, not in the entry.
public struct SubjectLink: Hashable, Sendable {
    public let subject: Subject
    public let role: LinkRole

    public init(_ subject: Subject, as role: LinkRole) {
        self.subject = subject
        self.role = role
    }

    public static func caller(_ subject: Subject) -> SubjectLink { .init(subject, as: .caller) }
    public static func owner(_ subject: Subject) -> SubjectLink { .init(subject, as: .owner) }
    public static func member(_ subject: Subject) -> SubjectLink { .init(subject, as: .member) }
    public static func about(_ subject: Subject) -> SubjectLink { .init(subject, as: .about) }
}

/// What a linked subject is to the event (ruling 44); the numbers stand in the index.
public enum LinkRole: UInt8, CaseIterable, Sendable {
    /// Mentioned, read or refused: nothing is decided by it.
    case about = 0
    /// The person at the other end: who calls, or who is called by an alert.
    case caller = 1
    /// Whose it is: an operator's session; a person's session, device, account or report.
    case owner = 2
    /// What joins or leaves, or what it joins: a session of an incident, an incident merged into another.
    case member = 3
}

extension [LogPosition] {
    /// The first of them in order, each once: what several lists have together.
    func merged(limit: Int) -> [LogPosition] {
        var merged: [LogPosition] = []
        for position in sorted() where position != merged.last {
            guard merged.count < limit else { break }
            merged.append(position)
        }
        return merged
    }
}
