// SPDX-License-Identifier: Apache-2.0
import GRDB
import Synchronization

/// Where queries read one read model; it stays the same object when a rebuild takes over.
public final class ReadDatabase: Sendable {
    /// Which read model it is.
    public let identity: ProjectorIdentity
    private let state: Mutex<State>
    private let damage = Mutex<@Sendable (String) -> Void>({ _ in })

    private enum State {
        /// Nothing to show yet.
        case building(done: UInt64, of: UInt64)
        /// Queries go to these connections.
        case serving(any DatabaseReader)
    }

    init(_ identity: ProjectorIdentity) {
        self.identity = identity
        state = Mutex(.building(done: 0, of: 0))
    }

    convenience init(_ identity: ProjectorIdentity, serving reader: any DatabaseReader) {
        self.init(identity)
        serve(reader)
    }

    /// Runs a query on one consistent view, without blocking the caller's executor.
    ///
    /// - Throws: ``ReadModelError/building(_:done:of:)`` until the read model exists.
    public func read<Value: Sendable>(
        _ query: @escaping @Sendable (ReadTransaction) throws -> Value
    ) async throws -> Value {
        do {
            return try await reader().read { database in try query(ReadTransaction(database)) }
        } catch {
            noteDamage(error)
            throw error
        }
    }

    /// Runs a query on one consistent view and blocks the thread; for command-line tools and tests.
    public func readBlocking<Value>(_ query: (ReadTransaction) throws -> Value) throws -> Value {
        try reader().read { database in try query(ReadTransaction(database)) }
    }

    /// Says who hears of it when a query meets what no projector wrote.
    func onDamage(_ hear: @escaping @Sendable (String) -> Void) {
        damage.withLock { $0 = hear }
    }

    private func noteDamage(_ fault: any Error) {
        let reason: String? =
            switch fault {
            case ReadModelError.damaged(let reason): reason
            case let fault as DatabaseError where SQLFailure.isDamage(fault.resultCode.rawValue):
                "\(fault)"
            default: nil
            }
        guard let reason else { return }
        damage.withLock { $0 }(reason)
    }

    /// Sends queries to a finished file from here on; those that run stay with the old one.
    func serve(_ reader: any DatabaseReader) {
        state.withLock { $0 = .serving(reader) }
    }

    /// Has nothing to show any more, until ``serve(_:)``.
    func withdraw() {
        state.withLock { $0 = .building(done: 0, of: 0) }
    }

    /// Notes how far a build has come while nothing serves.
    func noteBuilding(done: UInt64, of total: UInt64) {
        state.withLock { state in
            if case .building = state { state = .building(done: done, of: total) }
        }
    }

    func reader() throws(ReadModelError) -> any DatabaseReader {
        let current = state.withLock { $0 }
        switch current {
        case .serving(let reader): return reader
        case .building(let done, let total): throw .building(identity, done: done, of: total)
        }
    }
}
