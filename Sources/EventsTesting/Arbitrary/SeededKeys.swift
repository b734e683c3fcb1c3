// SPDX-License-Identifier: Apache-2.0
public import Events
import Synchronization

/// Keys of people that follow from a seed, so that a test needs no file of keys.
///
/// Everybody has a key until it is destroyed. Nothing here is secret.
public final class SeededKeys: PersonKeys {
    private let seed: UInt64
    private let destroyed = Mutex<Set<PersonID>>([])

    public init(seed: UInt64 = 1) {
        self.seed = seed
    }

    public func key(of person: PersonID) -> PersonKey? {
        guard destroyed.withLock({ !$0.contains(person) }) else { return nil }
        let mixed = person.uuid.bytes.reduce(seed) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        var generator = SeededGenerator(seed: mixed)
        return PersonKey(using: &generator)
    }

    /// Makes what is sealed for a person unreadable.
    public func destroy(_ person: PersonID) {
        _ = destroyed.withLock { $0.insert(person) }
    }
}
