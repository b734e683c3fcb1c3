// SPDX-License-Identifier: Apache-2.0
import Foundation

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
