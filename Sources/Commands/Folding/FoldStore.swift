// SPDX-License-Identifier: Apache-2.0
import Events
import Synchronization
import Threads

/// Folded states, kept up to a limit; each is caught up by reading only the events that are new.
///
/// What was folded is what stands in the log: also a decision's own events are taken in as they were
/// recorded, so memory holds no opened personal value, and no event is taken in twice.
final class FoldStore: Sendable {
    /// Reads the next page of a source's events behind a place; empty at the live end.
    typealias Reader = @Sendable (FoldSource, Place?) throws -> [RecordedEvent]

    /// How far a state may be caught up by whoever asks for it.
    enum Patience {
        /// To the end, on this thread.
        case all
        /// By a page; what has more to read is ``ColdFold``.
        case page
    }

    private let read: Reader
    private let kept: Mutex<Kept>
    private let readCount = Atomic(0)
    private let thread = ThreadPool(
        name: "folds",
        FairQueue.Limits(places: 1, placesOfHolder: 1)
    )

    init(capacity: Int = CommandLimits.foldsMax, read: @escaping Reader) {
        self.read = read
        kept = Mutex(Kept(capacity: capacity))
    }

    /// The state with all events that are committed now, and the place of the last of them.
    ///
    /// - Throws: ``ColdFold`` when more would have to be read than the patience allows; what reading throws.
    func current<State: Fold>(
        _ type: State.Type,
        _ id: State.ID,
        _ patience: Patience = .all
    ) throws -> (state: State, through: Place?) {
        let source = State.source(of: id)
        let key = Key(type: ObjectIdentifier(type), source: source)
        let folded = kept.withLock { $0.folded(key, as: type, id) }
        while true {
            if patience == .page, folded.isBehind {
                throw ColdFold { [self] in
                    _ = try folded.catchUp { try next(of: source, behind: $0) }
                    return folded.isBehind
                }
            }
            if let current = try folded.catchUp({ try next(of: source, behind: $0) }) {
                return current
            }
        }
    }

    private func next(of source: FoldSource, behind place: Place?) throws -> [RecordedEvent] {
        let page = try read(source, place)
        readCount.add(page.count, ordering: .relaxed)
        return page
    }

    /// Reads what a state has yet to read, on a thread of its own, so that nobody else waits for it.
    ///
    /// Several take turns, a page each. What was read is kept, also when it is given up.
    ///
    /// - Throws: `CancellationError` between two pages; what reading throws.
    func warm(_ cold: ColdFold) async throws {
        repeat { try Task.checkCancellation() } while try await thread.run(for: "", cold.readPage)
    }

    /// Takes events into the folds that their decision read, without reading them back.
    ///
    /// - Parameters:
    ///   - recorded: What the decision came to, as it stands in the log, in order.
    ///   - reads: What it read. The events were appended on the condition that nothing came to these in between.
    func takeIn(_ recorded: [RecordedEvent], into reads: [FoldRead]) {
        for read in reads {
            let key = Key(type: read.type, source: read.source)
            // One that was dropped meanwhile is read when it is asked for again.
            guard let folded = kept.withLock({ $0.known(key) }) else { continue }
            folded.takeIn(recorded.filter(read.source.contains), behind: read.through)
        }
    }

    /// How many events were read from the log so far, to catch up.
    var eventsRead: Int { readCount.load(ordering: .relaxed) }

    /// How many states are held; for limits and metrics.
    var count: Int { kept.withLock { $0.count } }
}

/// A state has more to read than a page.
struct ColdFold: Error {
    /// Reads one page; says whether there may be another.
    fileprivate let readPage: @Sendable () throws -> Bool
}

/// One state, folded in place: what it costs to catch up does not grow with what it holds.
private final class Folded<State: Fold>: AnyFolded {
    private let kept: Mutex<(state: State, place: Place?)>
    private let lastWasLong = Atomic(false)

    init(_ id: State.ID) {
        kept = Mutex((State(id), nil))
    }

    /// Whether there may be more to read than a page; known without waiting for whoever reads it.
    var isBehind: Bool { lastWasLong.load(ordering: .acquiring) }

    /// Takes in a page of what is new.
    ///
    /// Whoever asks at the same moment waits: the events are read once.
    ///
    /// - Returns: The state, if nothing was new.
    /// - Throws: What reading throws.
    func catchUp(
        _ read: (Place?) throws -> [RecordedEvent]
    ) throws -> (state: State, through: Place?)? {
        try kept.withLock { kept in
            let page = try read(kept.place)
            lastWasLong.store(page.count >= CommandLimits.pageEvents, ordering: .releasing)
            guard let last = page.last else { return (kept.state, kept.place) }
            for event in page { kept.state.apply(event) }
            kept.place = Place(last.envelope)
            return nil
        }
    }

    func takeIn(_ events: [RecordedEvent], behind place: Place?) {
        kept.withLock { kept in
            // Somebody may have read them already.
            guard let last = events.last, kept.place == place else { return }
            for event in events { kept.state.apply(event) }
            kept.place = Place(last.envelope)
        }
    }
}

/// A folded state of some type.
private protocol AnyFolded: AnyObject, Sendable {
    /// Takes in events that follow a place directly, unless it stands elsewhere by now.
    func takeIn(_ events: [RecordedEvent], behind place: Place?)
}

extension FoldStore {
    /// A source can be folded in several ways.
    private struct Key: Hashable {
        let type: ObjectIdentifier
        let source: FoldSource
    }

    private struct Slot {
        let folded: any AnyFolded
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

        /// The state under a key, if it is kept; that it was asked for does not keep it longer.
        func known(_ key: Key) -> (any AnyFolded)? { slots[key]?.folded }

        /// The state under a key, begun if it is not kept.
        mutating func folded<State: Fold>(
            _ key: Key,
            as type: State.Type,
            _ id: State.ID
        ) -> Folded<State> {
            uses += 1
            if let known = slots[key]?.folded as? Folded<State> {
                slots[key]?.lastUse = uses
                return known
            }
            let new = Folded<State>(id)
            slots[key] = Slot(folded: new, lastUse: uses)
            if slots.count > capacity { evict() }
            return new
        }

        /// Drops the quarter that was not used for longest, so that eviction costs little per use.
        private mutating func evict() {
            let order = slots.values.map(\.lastUse).sorted()
            let oldest = order[order.count / 4]
            slots = slots.filter { $0.value.lastUse > oldest }
        }
    }
}
