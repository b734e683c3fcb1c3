// SPDX-License-Identifier: Apache-2.0
import Events

/// The sessions and people that a fact names, in whatever member: what a new kind of event names is found as well.
struct EntryNames {
    var sessions: Set<SessionID> = []
    private(set) var persons: Set<PersonID> = []

    init(_ fact: Fact) {
        add(fact.payload)
    }

    private mutating func add(_ value: Any) {
        switch value {
        case let id as SessionID: sessions.insert(id)
        case let id as PersonID: persons.insert(id)
        case let subject as Subject:
            if let id = subject.session { sessions.insert(id) }
            if subject.category == "person", let id = PersonID(String(subject.name)) {
                persons.insert(id)
            }
        default:
            for child in Mirror(reflecting: value).children { add(child.value) }
        }
    }
}
