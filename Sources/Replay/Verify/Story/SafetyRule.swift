// SPDX-License-Identifier: Apache-2.0
import Events

/// What may happen to a citizen's contact, and to a call for help: neither changes hands, and what was ended stays so.
struct SafetyRule {
    private var owner: PersonID?
    private var isOver = false

    /// Takes the next event of one contact, or of one call.
    ///
    /// - Returns: The rules that it breaks, in words that go on "it …".
    mutating func apply(_ fact: SafetyEvent) -> [String] {
        switch fact {
        case .citizenSet, .contentSet: return []
        case .contactSet(let set):
            defer { owner = set.citizen }
            return broken(
                (owner.map { $0 == set.citizen } ?? true, "stays the contact of one citizen"),
                (!isOver, "changes no contact that was removed")
            )
        case .contactRemoved(let removed):
            defer { isOver = true }
            return broken((owner == removed.citizen && !isOver, "removes a contact that is there"))
        case .raised(let raised):
            defer { owner = raised.person }
            return broken((owner == nil, "is raised once"))
        case .moved(let moved):
            return broken((owner == moved.person && !isOver, "is of a call that goes on"))
        case .ended(let ended):
            defer { isOver = true }
            return broken((owner == ended.person && !isOver, "ends a call that goes on"))
        }
    }

    private func broken(_ rules: (holds: Bool, rule: String)...) -> [String] {
        rules.filter { !$0.holds }.map(\.rule)
    }
}
