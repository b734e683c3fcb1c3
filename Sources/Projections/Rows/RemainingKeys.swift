// SPDX-License-Identifier: Apache-2.0
import Events
import Synchronization

/// The keys of those whom no event that was seen has erased, whether or not their keys are destroyed already.
///
/// An erasure is in the log a moment before its key is destroyed. What is sealed for that person in between must stay
/// sealed in every row, as it does in a rebuild afterwards. In memory is enough: each start destroys the keys of everybody
/// whom the log calls erased before it opens a read model.
final class RemainingKeys: PersonKeys {
    private let keys: any PersonKeys
    private let erased = Mutex<Set<PersonID>>([])

    private init(_ keys: any PersonKeys) {
        self.keys = keys
    }

    /// The same object for keys that are watched already, so that all files of a runner know of an erasure.
    static func watching(_ keys: any PersonKeys) -> RemainingKeys {
        keys as? RemainingKeys ?? RemainingKeys(keys)
    }

    func key(of person: PersonID) -> PersonKey? {
        erased.withLock { $0.contains(person) } ? nil : keys.key(of: person)
    }

    /// Opens nothing of the person from here on.
    func forget(_ person: PersonID) {
        erased.withLock { _ = $0.insert(person) }
    }
}
