// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Events

/// How options and variables become numbers; the same way as whatever else comes from outside.
enum NumberOption {
    /// Reads the value of an option, or of the variable in its place.
    ///
    /// - Parameters:
    ///   - name: As people write it, for the refusal.
    ///   - range: What is welcome.
    /// - Returns: What makes a number of a text, or refuses it in words.
    static func reading(
        _ name: String,
        in range: ClosedRange<Int>
    ) -> @Sendable (String) throws -> Int {
        { text in
            guard let number = NumberText.whole(text, in: range) else {
                throw ValidationError(
                    "\(name) is a whole number from \(range.lowerBound) to \(range.upperBound)"
                )
            }
            return number
        }
    }
}
