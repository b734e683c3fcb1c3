// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// How attempts to sign in, and to register a phone, ended since the start; for `/metrics`.
final class SignInCounts: Sendable {
    /// How one ended.
    enum Outcome: String, Sendable, CaseIterable {
        case signedIn = "signed_in"
        case refused
        case throttled
        case registered
        case codeRefused = "code_refused"
        case codeThrottled = "code_throttled"
    }

    private let counts = Mutex<[Outcome: Int]>([:])

    /// All that came up.
    var all: [Outcome: Int] { counts.withLock { $0 } }

    func count(_ outcome: Outcome) {
        counts.withLock { $0[outcome, default: 0] += 1 }
    }
}
