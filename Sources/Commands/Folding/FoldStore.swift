// SPDX-License-Identifier: Apache-2.0
import Events
import Synchronization

/// Folded states, kept up to a limit; each is caught up by reading only the events that are new.
///
/// What was folded is what stands in the log: a decision's own events are read back like all others,
/// so memory holds no opened personal value, and no event is taken in twice.
final class FoldStore: Sendable {
    /// Reads the next page of a source's events behind a place; empty at the live end.
    typealias Reader = @Sendable (FoldSource, Place?) throws -> [RecordedEvent]

    private let read: Reader
    private let kept: Mutex<Kept>

    init(capacity: Int = CommandLimits.foldsMax, read: @escaping Reader) {
        self.read = read
        kept = Mutex(Kept(capacity: capacity))
    }

    /// The state with all events that are committed now, and the place of the last of them.
    func current<State: Fold>(
        _ type: State.Type,
        _ id: State.ID
    ) throws -> (state: State, through: Place?) {
        let source = State.source(of: id)
        let key = Key(type: ObjectIdentifier(type), source: source)
        let known = kept.withLock { $0[key] }
        var state = known?.state as? State ?? State(id)
        var place = known?.place
        while true {
            let page = try read(source, place)
            guard let last = page.last else { break }
            for event in page { state.apply(event) }
            place = Place(last.envelope)
        }
        if let known, known.place == place { return (state, place) }
        let slot = Slot(state: state, place: place)
        kept.withLock { $0.keep(slot, as: key) }
        return (state, place)
    }

    /// How many states are held; for limits and metrics.
    var count: Int { kept.withLock { $0.count } }
}

extension FoldStore {
    /// A source can be folded in several ways.
    private struct Key: Hashable {
        let type: ObjectIdentifier
        let source: FoldSource
    }

    private struct Slot {
        let state: any Fold
        let place: Place?
        var lastUse: UInt64 = 0
    }

    /// The states, and the order of their use.
    private struct Kept {
        let capacity: Int
        private var slots: [Key: Slot] = [:]
        private var uses: UInt64 = 0

        init(capacity: Int) {
            precondition(capacity > 0, "a fold store keeps at least one state, not \(capacity)")
            self.capacity = capacity
        }

        var count: Int { slots.count }

        subscript(key: Key) -> Slot? { slots[key] }

        mutating func keep(_ slot: Slot, as key: Key) {
            // Two commands may fold the same state at once; the one that read further stays.
            if let other = slots[key]?.place, let own = slot.place, other.position > own.position {
                return
            }
            uses += 1
            slots[key] = slot
            slots[key]?.lastUse = uses
            if slots.count > capacity { evict() }
        }

        /// Drops the quarter that was not used for longest, so that eviction costs little per use.
        private mutating func evict() {
            let order = slots.values.map(\.lastUse).sorted()
            let oldest = order[order.count / 4]
            slots = slots.filter { $0.value.lastUse > oldest }
        }
    }
}
