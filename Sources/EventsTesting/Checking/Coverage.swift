// SPDX-License-Identifier: Apache-2.0
public import Events

/// Counts what a property has met, so that none of it is left out unnoticed.
///
/// A property over random events proves nothing about a kind or a refusal that never came up.
public struct Coverage: Sendable {
    private var counts: [String: Int]

    /// Names what must be met.
    public init(of names: some Sequence<String>) {
        counts = Dictionary(uniqueKeysWithValues: names.map { ($0, 0) })
    }

    /// Every kind that is written must be met, and these names with them, such as refusals.
    public init(ofKindsAnd names: [String] = []) {
        self.init(of: EventCatalog.current.written.map(\.text) + names)
    }

    /// Counts a name; one that was not expected is counted too.
    public mutating func meet(_ name: String) {
        counts[name, default: 0] += 1
    }

    /// Counts the kind of a fact.
    public mutating func meet(_ fact: Fact) {
        meet(fact.kind.text)
    }

    /// Adds what another run met.
    public mutating func add(_ other: Coverage) {
        counts.merge(other.counts, uniquingKeysWith: +)
    }

    /// How often a name was met.
    public subscript(name: String) -> Int { counts[name, default: 0] }

    /// What was never met, in the order of the alphabet.
    public var missing: [String] {
        counts.filter { $0.value == 0 }.keys.sorted()
    }

    /// One line for each name: how often, and what.
    public var table: String {
        let width = counts.values.map { String($0).count }.max() ?? 0
        return counts.sorted { $0.key < $1.key }.map { name, count in
            let number = String(count)
            return String(repeating: " ", count: width - number.count) + number + "  " + name
        }.joined(separator: "\n")
    }
}
