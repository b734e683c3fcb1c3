// SPDX-License-Identifier: Apache-2.0
import Events
import Synchronization

/// Whether the accounts are what the ledger says of them, as far as this process knows (decision 0058); every start makes
/// all of it again.
final class Following: Sendable {
    private struct State {
        var failures = 0
        var fault: Fault?
        var unread = UnreadEntries()
    }

    private let state = Mutex(State())

    /// Why they do not follow the ledger; `nil` while they do.
    var fault: Fault? { state.withLock { $0.fault } }

    /// How often they fell behind.
    var failures: Int { state.withLock { $0.failures } }

    /// Records a change, then makes it: what is recorded and not made they are behind with.
    func change<Value>(
        recording record: () async throws -> Void,
        making make: () async throws -> Value
    ) async throws -> Value {
        do {
            try await record()
        } catch let error as EventLogError {
            // It may be recorded all the same.
            if case .outcomeUnknown = error { fallBehind(error) }
            throw error
        }
        do {
            return try await make()
        } catch {
            fallBehind(error)
            throw error
        }
    }

    /// What was recorded could not be made.
    func fallBehind(_ error: any Error) {
        let cause = Fault(error)
        let fault = Fault(
            code: "behind \(cause.code)",
            words: "the accounts do not follow the ledger, so that somebody whose rights ended may "
                + "still have them: \(cause.words)"
        )
        state.withLock { state in
            state.failures += 1
            state.fault = fault
        }
    }

    /// What could not be read of what the ledger says of accounts and phones.
    var unread: UnreadEntries { state.withLock { $0.unread } }

    /// Notes what could not be read; whose it is may do nothing until a start reads it.
    ///
    /// - Returns: Whether any of it is new.
    func note(_ more: UnreadEntries) -> Bool {
        state.withLock { state in
            let known = state.unread
            state.unread.formUnion(more)
            return state.unread != known
        }
    }

    /// All of it was made, if none failed meanwhile.
    func catchUp(since failures: Int) {
        state.withLock { state in
            if state.failures == failures { state.fault = nil }
        }
    }
}

/// Entries about accounts and phones that cannot be read, and whose they are (decision 0070).
///
/// They end nothing for anybody else: whoever has them may do nothing, and the others are served.
struct UnreadEntries: Hashable {
    var positions: Set<LogPosition> = []
    var users: Set<String> = []
    var phones: Set<String> = []

    mutating func formUnion(_ other: UnreadEntries) {
        positions.formUnion(other.positions)
        users.formUnion(other.users)
        phones.formUnion(other.phones)
    }

    /// What to show; `nil` where everything could be read.
    var fault: Fault? {
        guard self != UnreadEntries() else { return nil }
        let places = Self.list("position", positions.sorted().map { "\($0)" })
        let holders = [
            Self.list("user", users.sorted()), Self.list("phone", phones.sorted()),
        ].compactMap(\.self)
        let words = """
            entries about accounts and phones cannot be read\(places.map { " (\($0))" } ?? "")\
            \(holders.isEmpty ? "" : ": \(holders.joined(separator: ", ")) may do nothing meanwhile"); \
            run daybook verify, restore the log
            """
        return Fault(code: "unread \(hashValue)", words: words)
    }

    private static func list(_ noun: String, _ names: [String]) -> String? {
        guard !names.isEmpty else { return nil }
        let more = names.count > 10 ? " and \(names.count - 10) more" : ""
        return "\(noun) \(names.prefix(10).joined(separator: ", "))\(more)"
    }
}

extension Error {
    /// Whether entries of the log cannot be read, for somebody or a disk damaged them.
    var isOfDamage: Bool {
        switch self as any Error {
        case EventLogError.damaged, EventLogError.unreadable: true
        default: self is EventDecodingError
        }
    }
}
