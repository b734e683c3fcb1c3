// SPDX-License-Identifier: Apache-2.0
public import Events

/// The state of one thing, as its events made it.
///
/// `apply` accepts every event, in any order, known or not: only a decision says no.
/// Folding events in two steps gives the same as in one.
public protocol Fold: Hashable, Sendable {
    /// What names the thing.
    associatedtype ID: Sendable

    /// Which events make the state.
    static func source(of id: ID) -> FoldSource
    /// The state before any event.
    init(_ id: ID)
    /// Takes in the next event.
    mutating func apply(_ event: RecordedEvent)
}

extension Fold {
    /// The state after these events.
    public init(_ id: ID, after events: some Sequence<RecordedEvent>) {
        self.init(id)
        for event in events { apply(event) }
    }
}

/// Which events a fold is made of.
public enum FoldSource: Hashable, Sendable {
    /// Those of one subject.
    case subject(Subject)
    /// Those of any subject that link to one in a role.
    case links(to: SubjectLink)
    /// Those of every subject of a category, such as `holds`. No append can be conditional on it: a command that depends
    /// on it shares the lane of the commands that write there.
    case category(String)

    /// Whether an event is one of them.
    func contains(_ event: RecordedEvent) -> Bool {
        switch self {
        case .subject(let subject): event.envelope.subject == subject
        case .links(let link): event.fact.links.contains(link)
        case .category(let category): event.envelope.subject.category == category
        }
    }
}

/// A fold that a decision read, as it stood: what the decision comes to follows on it, or nothing does.
struct FoldRead: Sendable {
    let type: ObjectIdentifier
    let source: FoldSource
    /// The last event that was folded; `nil` if there was none.
    let through: Place?
}
