// SPDX-License-Identifier: Apache-2.0
/// Makes a failing sequence small: takes out what the failure does not need.
///
/// Delta debugging: halves, then quarters and so on down to single elements are taken out for as long as the rest still
/// fails. The result is minimal: without any one of its elements it does not fail.
public struct StreamShrinker<Element> {
    private let fails: ([Element]) throws -> Bool

    /// Names the failure.
    ///
    /// - Parameter fails: Whether a sequence fails; must not depend on anything else.
    public init(fails: @escaping ([Element]) throws -> Bool) {
        self.fails = fails
    }

    /// Shrinks a sequence; one that does not fail comes back as it is.
    ///
    /// Asks `fails` some n·log n times for n elements that are needed, and n² times at worst.
    public func shrink(_ elements: [Element]) throws -> [Element] {
        guard try fails(elements) else { return elements }
        var kept = elements
        var size = max(kept.count / 2, 1)
        while !kept.isEmpty {
            let before = kept.count
            kept = try removing(pieces: size, from: kept)
            // The last round of single elements must take nothing out, or an earlier one may have become needless.
            if size == 1, kept.count == before { break }
            size = max(size / 2, 1)
        }
        return kept
    }

    private func removing(pieces size: Int, from elements: [Element]) throws -> [Element] {
        var kept = elements
        var start = 0
        while start < kept.count {
            var rest = kept
            rest.removeSubrange(start..<min(start + size, kept.count))
            if try fails(rest) { kept = rest } else { start += size }
        }
        return kept
    }
}

/// A property that failed: how to repeat it, and the smallest sequence that fails.
public struct PropertyFailure<Element: Sendable>: Error, CustomStringConvertible {
    public let seed: UInt64
    public let elements: [Element]

    public var description: String {
        let lines = elements.enumerated().map { "  \($0.offset): \($0.element)" }
        return
            "fails with seed \(seed); repeat with DAYBOOK_SEED=\(seed). The smallest sequence of \(elements.count):\n"
            + lines.joined(separator: "\n")
    }
}

/// Checks a property of sequences over many seeds, beginning with `DAYBOOK_SEED`.
///
/// - Parameters:
///   - seeds: How many seeds to try.
///   - make: The sequence of a seed.
///   - holds: Whether the property holds.
/// - Throws: ``PropertyFailure`` with the first failing seed and its sequence, shrunk.
public func checkProperty<Element: Sendable>(
    seeds: UInt64,
    make: (UInt64) throws -> [Element],
    holds: @escaping ([Element]) throws -> Bool
) throws {
    for number in 0..<seeds {
        let seed = SeededGenerator.environmentSeed &+ number
        let elements = try make(seed)
        guard try !holds(elements) else { continue }
        let shrunk = try StreamShrinker { try !holds($0) }.shrink(elements)
        throw PropertyFailure(seed: seed, elements: shrunk)
    }
}
