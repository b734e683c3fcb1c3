// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Bytes nobody may guess.
enum SecretBytes {
    /// Fresh bytes from the system's generator, which is cryptographically secure.
    static func random(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// Compares in a time that depends on the length alone.
    static func areEqual(_ left: Data, _ right: Data) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
