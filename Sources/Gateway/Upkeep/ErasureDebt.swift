// SPDX-License-Identifier: Apache-2.0
import Events
import Synchronization

/// People whose erasure is in the log and not carried out in full; wakes ``ErasureService``.
final class ErasureDebt: Sendable {
    private struct State {
        var people: Set<PersonID> = []
        var isFilled = false
        var bell: AsyncStream<Void>.Continuation?
    }

    private let state = Mutex(State())

    /// Who is owed.
    var people: Set<PersonID> { state.withLock { $0.people } }

    /// Whether what the log had at the start is among them.
    var isFilled: Bool { state.withLock { $0.isFilled } }

    /// Whether nobody is owed anything, as far as the log has been looked at.
    var isPaid: Bool { state.withLock { $0.isFilled && $0.people.isEmpty } }

    /// Everybody whom the log calls erased may be owed something at the start.
    func fill(with people: some Sequence<PersonID>) {
        state.withLock { state in
            state.people.formUnion(people)
            state.isFilled = true
        }
    }

    /// Something is left to do for a person.
    func add(_ people: some Sequence<PersonID>) {
        state.withLock { state in
            state.people.formUnion(people)
            state.bell?.yield()
        }
    }

    /// Nothing is left to do for a person.
    func pay(_ person: PersonID) {
        state.withLock { _ = $0.people.remove(person) }
    }

    /// Rings at each new debt, for one listener.
    func rings() -> AsyncStream<Void> {
        let (stream, bell) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        state.withLock { $0.bell = bell }
        return stream
    }
}

extension Ledger {
    /// Has a picture deleted that an event names which came in behind the person's erasure: it was stored before the key went,
    /// and whoever carried the erasure out may not have met the event yet.
    func oweIfErased(_ person: PersonID) {
        if keys.isDestroyed(person) { erasureDebt.add([person]) }
    }
}
