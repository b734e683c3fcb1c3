// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Whether a start could not tell the log what it had to, for want of room; see ``Ledger/orOwe(_:)``.
final class WordsOwed: Sendable {
    private let state = Mutex(false)

    /// Whether there are any.
    var isOwed: Bool { state.withLock { $0 } }

    /// Notes that there are; tells whether that is new.
    func owe() -> Bool {
        state.withLock { isOwed in
            defer { isOwed = true }
            return !isOwed
        }
    }

    /// Takes them for told, before they are; tells whether there were any.
    func pay() -> Bool {
        state.withLock { isOwed in
            defer { isOwed = false }
            return isOwed
        }
    }
}
