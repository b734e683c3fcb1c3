// SPDX-License-Identifier: Apache-2.0
public import Events
import Synchronization

/// What one command reads of the ledger; what it read becomes the conditions of its append.
public struct LedgerView: Sendable {
    /// Whose ledger it is, for subjects that an organisation has once.
    public let organisation: OrganisationID
    /// What must still be so when the command's events are appended.
    public private(set) var conditions: [Condition] = []
    /// The folds behind those conditions.
    private(set) var reads: [FoldRead] = []
    private let folds: FoldStore
    private let patience: FoldStore.Patience

    init(
        _ folds: FoldStore,
        organisation: OrganisationID,
        _ patience: FoldStore.Patience = .all
    ) {
        self.folds = folds
        self.organisation = organisation
        self.patience = patience
    }

    /// The state of a thing now; an append holds only if nothing changed it meanwhile.
    public mutating func read<State: Fold>(_ type: State.Type, _ id: State.ID) throws -> State {
        let (state, through) = try folds.current(type, id, patience)
        let source = State.source(of: id)
        guard let condition = Condition(source, through: through) else { return state }
        if !conditions.contains(condition) { conditions.append(condition) }
        reads.append(FoldRead(type: ObjectIdentifier(type), source: source, through: through))
        return state
    }

    /// The state of a thing now, without a condition: for what cannot change back, such as an end.
    public func glance<State: Fold>(_ type: State.Type, _ id: State.ID) throws -> State {
        try folds.current(type, id, patience).state
    }
}

/// Whoever tells how things stand.
public protocol CurrentStates: Sendable {
    /// The state of a thing now.
    func current<State: Fold>(_ type: State.Type, _ id: State.ID) throws -> State
}

/// How things stand for a decision: what is asked here becomes a condition of its append.
public final class DecidedStates: CurrentStates {
    private let state: Mutex<LedgerView>

    init(_ view: LedgerView) {
        state = Mutex(view)
    }

    /// What was read by now.
    var view: LedgerView { state.withLock { $0 } }

    /// The state of a thing now; of what needs more conditions than ``CommandLimits/conditionsOfRightMax``, as it is when it is
    /// decided.
    public func current<State: Fold>(_ type: State.Type, _ id: State.ID) throws -> State {
        try state.withLock { view in
            guard view.conditions.count < CommandLimits.conditionsOfRightMax else {
                return try view.glance(type, id)
            }
            return try view.read(type, id)
        }
    }
}

extension Condition {
    /// Nothing came behind the last event that was read; `nil` where the log knows no such condition.
    fileprivate init?(_ source: FoldSource, through place: Place?) {
        switch source {
        case .subject(let subject):
            self.init(subject, place.map { .revision($0.revision) } ?? .absent)
        case .links(let link):
            self.init(link.subject, .notLinked(as: link.role, since: place?.position))
        case .category: return nil
        }
    }
}
