// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB
import Projections
import Synchronization
import Threads

/// Users, devices, tokens and request fingerprints: `accounts.db`, apart from the ledger, for
/// passwords and tokens never go there.
///
/// Holds hashes only. A change of rights is on disk when its call returns; fingerprints and the
/// time of a token's last use survive a crash of the process but perhaps not of the machine.
final class AccountStore: Sendable {
    let pool: DatabasePool
    let limits: AccountLimits
    /// What fingerprints of requests are made with: whoever has the file alone cannot try out what was asked.
    let fingerprintKey: DerivedKey
    /// What the rows are sealed with on which rights rest.
    let rowKey: DerivedKey
    let checks: PasswordChecks
    let throttle: SignInThrottle
    let codes: CodeThrottle
    /// How sign-ins and registrations ended.
    let counts = SignInCounts()
    /// Rings when rights changed.
    let changes = AccountChanges()
    /// The clock of the gateway, moved by hand in tests.
    let now: @Sendable () -> Date
    /// What that clock passed over: nobody was silent meanwhile.
    let jumps: @Sendable () -> [ClockJump]
    /// Accounts that are about to end for good, so that no two acts at once leave no admin.
    let ending = Mutex<Set<String>>([])
    /// One change of what an account may do at a time.
    let changing = AsyncLock()
    /// Whether they are what the ledger says.
    let following = Following()
    /// Whom they ask about rights; without a ledger the rows count.
    let teller = Mutex<AccountTeller?>(nil)
    /// What the file was like.
    let opening: Opening
    /// Whether another one was met since.
    let foreignSchema = Mutex(false)
    private let held: HeldFolder?
    /// Why the last write failed, if the disk was why.
    private let diskFault = Mutex<DatabaseError?>(nil)
    /// When each token was used last, exactly; the table knows it to a grain.
    let lastUses = Mutex<[String: Date]>([:])

    /// Opens or creates the file, readable for its owner alone.
    ///
    /// - Throws: ``StartError/accountsUnusable(_:reason:)`` for a link, and for a file with other tables than the steps make, with
    ///   a trigger or a view; when the file cannot be opened; ``StartError/accountsUncoded(_:)`` for one of before rows carried
    ///   codes, unless it is adopted, which ``RowAdoption`` may refuse.
    init(
        path: String,
        fingerprintKey: DerivedKey,
        rowKey: DerivedKey,
        adoption: RowAdoption = RowAdoption(),
        in held: HeldFolder? = nil,
        limits: AccountLimits = AccountLimits(),
        now: @escaping @Sendable () -> Date = { Date() },
        jumps: @escaping @Sendable () -> [ClockJump] = { [] }
    ) throws {
        do throws(ForeignNeighbour) {
            try DatabaseNeighbours.check(URL(filePath: path))
        } catch {
            throw StartError.accountsUnusable(path, reason: "\(error)")
        }
        if !FileManager.default.fileExists(atPath: path) {
            try Data().write(to: URL(filePath: path), options: .withoutOverwriting)
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        (pool, opening) = try Self.opened(path, rowKey, adoption, at: now(), in: held)
        self.held = held
        pool.add(transactionObserver: changes, extent: .databaseLifetime)
        self.limits = limits
        self.fingerprintKey = fingerprintKey
        self.rowKey = rowKey
        self.now = now
        self.jumps = jumps
        checks = PasswordChecks(waitingMax: limits.waitingPasswords)
        throttle = SignInThrottle(limits: limits)
        codes = CodeThrottle(limits: limits)
    }

    deinit {
        // The last connection that closes removes its journal by name, which may be another's then: it stays open.
        if let held, !held.isInPlace { _ = Unmanaged.passRetained(pool) }
    }

    /// Looks something up.
    func read<Value: Sendable>(
        _ look: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await pool.read { database in
            try checkTables(database)
            return try look(database)
        }
    }

    /// Changes rights: returns once the change is on disk.
    func durably<Value: Sendable>(
        _ updates: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await write(synchronous: "FULL", updates)
    }

    /// Changes what may be lost with the machine's power, but not with the process.
    func quickly<Value: Sendable>(
        _ updates: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await write(synchronous: "NORMAL", updates)
    }

    /// Why nothing can be written just now; `nil` while the last write was done.
    var writeFault: Fault? {
        if foreignSchema.withLock({ $0 }) {
            return Fault(code: "tables", words: "accounts.db is not used: \(Self.foreignTables)")
        }
        return diskFault.withLock { $0 }.map { error in
            Fault(
                code: "write \(error.resultCode.rawValue)",
                words:
                    "accounts.db cannot be written: \(error.message ?? error.resultCode.description)"
            )
        }
    }

    /// Writes nothing new: for who is about to record what the accounts are to follow, and to see whether a fault is over.
    ///
    /// - Throws: Why nothing could be written.
    func probe() async throws {
        try await durably { try $0.execute(sql: "PRAGMA user_version = 0") }
    }

    private func write<Value: Sendable>(
        synchronous: String,
        _ updates: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        do {
            let value = try await writeNow(synchronous: synchronous, updates)
            diskFault.withLock { $0 = nil }
            return value
        } catch let error as DatabaseError where error.isOfDisk {
            diskFault.withLock { $0 = error }
            throw error
        }
    }

    private func writeNow<Value: Sendable>(
        synchronous: String,
        _ updates: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = \(synchronous)")
            var result: Value?
            try database.inTransaction {
                try checkTables(database)
                result = try updates(database)
                return .commit
            }
            guard let result else { preconditionFailure("a committed transaction has a result") }
            return result
        }
    }
}

extension DatabaseError {
    /// Whether the file system kept SQLite from its work, rather than what it was asked.
    var isOfDisk: Bool {
        switch resultCode {
        case .SQLITE_FULL, .SQLITE_READONLY, .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_PERM,
            .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_NOMEM:
            true
        default: false
        }
    }
}

/// Times in the tables: milliseconds since 1970.
extension Date {
    init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }

    static func + (date: Date, duration: Duration) -> Date {
        date.addingTimeInterval(duration / .seconds(1))
    }

    static func - (date: Date, duration: Duration) -> Date {
        date.addingTimeInterval(-(duration / .seconds(1)))
    }
}
