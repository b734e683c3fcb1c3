// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Chance that can be repeated: SplitMix64 from a seed.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts the sequence of that seed.
    public init(seed: UInt64) {
        state = seed
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension SeededGenerator {
    /// The seed that tests begin with: `DAYBOOK_SEED`, or 1 without it.
    ///
    /// A failing property prints its seed; running the tests again with `DAYBOOK_SEED` set to it repeats the failure.
    public static var environmentSeed: UInt64 {
        let text = ProcessInfo.processInfo.environment["DAYBOOK_SEED"] ?? "1"
        guard let seed = UInt64(text) else {
            preconditionFailure(
                "DAYBOOK_SEED is \"\(text)\"; a whole number from 0 to 2^64 - 1 is needed"
            )
        }
        return seed
    }

    /// Starts the sequence of ``environmentSeed``, so that a whole test run can be repeated or varied from outside.
    ///
    /// - Parameter salt: Tells tests with the same seed apart.
    /// - Returns: The generator at the beginning of its sequence.
    public static func fromEnvironment(salt: UInt64 = 0) -> SeededGenerator {
        SeededGenerator(seed: environmentSeed &+ salt &* 0x9E37_79B9_7F4A_7C15)
    }
}
