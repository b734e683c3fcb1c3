// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Asks now and then whether whoever reads live is still signed in: for feeds and sockets that tell
/// without being asked.
///
/// Reading so is no activity: silence signs out (DESIGN §8).
final class SignInCheck: Sendable {
    private let accounts: AccountStore
    private let reader: Principal
    private let interval: Duration
    private let askedAt = Mutex(ContinuousClock.now)

    /// - Parameters:
    ///   - reader: Who was signed in when the reading began.
    ///   - accounts: Know whether that is still so.
    ///   - interval: How often to ask.
    init(of reader: Principal, in accounts: AccountStore, every interval: Duration) {
        self.reader = reader
        self.accounts = accounts
        self.interval = interval
    }

    /// Returns while the reader is signed in; call it before telling anything.
    ///
    /// - Throws: `AccountError` once the token is revoked, expired or idle, at the latest after the interval.
    func confirm() async throws {
        let isDue = askedAt.withLock { askedAt in
            guard ContinuousClock.now - askedAt >= interval else { return false }
            askedAt = .now
            return true
        }
        if isDue { try await accounts.check(reader) }
    }
}
