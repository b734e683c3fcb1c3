// SPDX-License-Identifier: Apache-2.0
import GRDB
import Synchronization

/// Rings whenever somebody's right to be here may have changed, whoever changed it: a token ended, an account was disabled
/// or got another role, a device was revoked, a person was erased.
///
/// It hears the database itself, so that no function that changes rights can forget to ring.
final class AccountChanges: TransactionObserver, Sendable {
    private struct State {
        var isChanged = false
        var count = 0
        var nextListener = 0
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
    }

    private let state = Mutex(State())

    /// The columns that decide what a token is good for; that one is used, say, changes nothing.
    private static let columns: [String: Set<String>] = [
        "tokens": ["revoked", "expires", "scopes", "idle"],
        "users": ["role", "org", "disabled", "temporary"],
        "devices": ["role", "org", "revoked", "person", "since"],
    ]

    /// How often rights have changed: whoever asked at this count need not ask again.
    var count: Int { state.withLock { $0.count } }

    /// Rings a bell from here on, until it leaves.
    func listen(_ bell: AsyncStream<Void>.Continuation) -> Int {
        state.withLock { state in
            state.nextListener += 1
            state.listeners[state.nextListener] = bell
            return state.nextListener
        }
    }

    /// Rings it no more.
    func leave(_ listener: Int) {
        state.withLock { $0.listeners[listener] = nil }
    }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
        switch eventKind {
        case .insert: false
        case .delete(let table): Self.columns[table] != nil
        case .update(let table, let columns):
            !(Self.columns[table] ?? []).isDisjoint(with: columns)
        }
    }

    func databaseDidChange(with event: DatabaseEvent) {
        state.withLock { $0.isChanged = true }
    }

    func databaseDidCommit(_ database: Database) {
        let listeners: [AsyncStream<Void>.Continuation] = state.withLock { state in
            guard state.isChanged else { return [] }
            state.isChanged = false
            state.count += 1
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield() }
    }

    func databaseDidRollback(_ database: Database) {
        state.withLock { $0.isChanged = false }
    }
}
