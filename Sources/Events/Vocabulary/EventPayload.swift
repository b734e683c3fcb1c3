// SPDX-License-Identifier: Apache-2.0
/// What one kind of event says: a struct with synthesized `Codable`, one for each kind.
public protocol EventPayload: Codable, Hashable, Sendable {
    /// The kind as it stands in the log; written once, never reused.
    static var kind: Kind { get }
    /// Other subjects that this event is about, by which it can be found and on which appends can be conditional.
    ///
    /// Each kind says it itself, also that there are none: a default would stand in, unseen, for a member of another type.
    /// Whoever changes one for a kind that exists changes its line in `LogIndex.linkDigests`; a test asks for it.
    var links: [SubjectLink] { get }
}
