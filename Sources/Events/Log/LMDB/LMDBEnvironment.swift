// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
import Glibc
import Synchronization

/// One LMDB environment: a folder with `data.mdb` and `lock.mdb`, opened once per process.
///
/// Default sync: a commit that returned is on disk. Readers are not tied to threads (`MDB_NOTLS`).
final class LMDBEnvironment: @unchecked Sendable {
    // An MDB_env may be used from any thread; write transactions exclude each other inside liblmdb.
    private let handle: OpaquePointer
    private let readers = Mutex(Readers())
    /// Whether it reads without a place in the reader table, so that a writer may reuse pages under it.
    let isLockFree: Bool

    /// The read transactions: those between two uses, and how many are in use.
    private struct Readers {
        var idle: [IdleReader] = []
        var active = 0
        var isClosed = false
    }

    /// How an environment is opened.
    enum Access {
        case readWrite
        /// Reads beside another process; takes part in its reader table.
        case readOnly
        /// Reads a copy that nobody writes to, where no lock file can be made.
        case readOnlyWithoutLock
    }

    /// Opens or creates the environment in an existing folder.
    ///
    /// - Throws: ``LMDBError``: not a database, damaged meta pages, no permission, map too large for the address space.
    init(
        folder: String,
        access: Access,
        mapBytes: Int,
        readersMax: Int,
        tablesMax: Int
    ) throws(LMDBError) {
        var created: OpaquePointer?
        try check(mdb_env_create(&created))
        guard let environment = created else { throw LMDBError(code: ENOMEM) }
        do throws(LMDBError) {
            try check(mdb_env_set_mapsize(environment, mapBytes))
            try check(mdb_env_set_maxreaders(environment, UInt32(readersMax)))
            try check(mdb_env_set_maxdbs(environment, UInt32(tablesMax)))
            try check(mdb_env_open(environment, folder, access.flags, 0o640))
        } catch {
            mdb_env_close(environment)
            throw error
        }
        handle = environment
        isLockFree = access == .readOnlyWithoutLock
    }

    deinit {
        close()
    }

    /// Closes the environment once nobody reads any more; one process may have it open only once.
    ///
    /// The caller has ended writing. Reads that begin afterwards fail with `EBADF`.
    func close() {
        let (idle, isLast) = readers.withLock { readers -> ([IdleReader], Bool) in
            guard !readers.isClosed else { return ([], false) }
            readers.isClosed = true
            defer { readers.idle = [] }
            return (readers.idle, readers.active == 0)
        }
        for reader in idle { mdb_txn_abort(reader.handle) }
        if isLast { mdb_env_close(handle) }
    }

    /// Begins a write transaction; waits for another one to end.
    ///
    /// It must end on the thread that began it. Whoever writes also closes, on the same thread, so that nothing is
    /// closed under a writer.
    func beginWrite() throws(LMDBError) -> LMDBTransaction {
        guard !readers.withLock({ $0.isClosed }) else { throw LMDBError(code: EBADF) }
        return try LMDBTransaction(environment: handle, flags: 0)
    }

    /// Frees the places of readers whose process died: one of them keeps every page that was freed since from reuse.
    ///
    /// - Returns: How many there were; a failure leaves them for the next time.
    @discardableResult
    func dropDeadReaders() -> Int {
        var dropped: Int32 = 0
        return mdb_reader_check(handle, &dropped) == MDB_SUCCESS ? Int(dropped) : 0
    }

    /// Begins a read transaction that the caller ends.
    func beginRead() throws(LMDBError) -> LMDBTransaction {
        try LMDBTransaction(environment: handle, flags: UInt32(MDB_RDONLY))
    }

    /// Runs work in a read transaction: a snapshot of the last commit, which ends with the work.
    ///
    /// Transactions are kept and renewed, so reading costs no allocation; at most ``LogLimits/readersMax`` at once.
    /// Without a lock the work runs again when pages may have been reused under it, so it must not act on anything else.
    func read<Result, Failure: Error>(
        _ work: (borrowing LMDBTransaction) throws(Failure) -> Result
    ) throws -> Result {
        let transaction = try renewedReader()
        defer { keep(transaction) }
        guard isLockFree else { return try work(LMDBTransaction(handle: transaction)) }
        for _ in 0..<LogLimits.lockFreeAttemptsMax {
            let begun = mdb_txn_id(transaction)
            let outcome = Swift.Result { try work(LMDBTransaction(handle: transaction)) }
            // What transaction n+1 frees is overwritten by n+3 at the earliest, and that one may be under way.
            if lastTransaction <= begun + 1 { return try outcome.get() }
            mdb_txn_reset(transaction)
            try check(mdb_txn_renew(transaction))
        }
        throw LMDBError(code: EAGAIN)
    }

    /// The number of the newest commit.
    var lastTransaction: Int {
        var info = MDB_envinfo()
        mdb_env_info(handle, &info)
        return info.me_last_txnid
    }

    private func renewedReader() throws(LMDBError) -> OpaquePointer {
        let (kept, isClosed) = readers.withLock { readers -> (IdleReader?, Bool) in
            guard !readers.isClosed else { return (nil, true) }
            readers.active += 1
            return (readers.idle.popLast(), false)
        }
        guard !isClosed else { throw LMDBError(code: EBADF) }
        do throws(LMDBError) {
            return try renewed(kept)
        } catch {
            give(back: nil)
            throw error
        }
    }

    private func renewed(_ kept: IdleReader?) throws(LMDBError) -> OpaquePointer {
        if let kept {
            try check(mdb_txn_renew(kept.handle))
            return kept.handle
        }
        var begun: OpaquePointer?
        try check(mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &begun))
        guard let begun else { throw LMDBError(code: ENOMEM) }
        return begun
    }

    private func keep(_ transaction: OpaquePointer) {
        mdb_txn_reset(transaction)
        give(back: IdleReader(handle: transaction))
    }

    private func give(back reader: IdleReader?) {
        let isLast = readers.withLock { readers in
            readers.active -= 1
            guard readers.isClosed else {
                if let reader { readers.idle.append(reader) }
                return false
            }
            // Under the lock, so that it ends before whoever is last closes the environment.
            if let reader { mdb_txn_abort(reader.handle) }
            return readers.active == 0
        }
        if isLast { mdb_env_close(handle) }
    }

    /// A read transaction between two uses; whoever took it out of the pool is its only user.
    private struct IdleReader: @unchecked Sendable {
        let handle: OpaquePointer
    }

    /// Bytes of the map in use and its size.
    var usage: (used: Int, map: Int) {
        var info = MDB_envinfo()
        var stat = MDB_stat()
        mdb_env_info(handle, &info)
        mdb_env_stat(handle, &stat)
        return ((info.me_last_pgno + 1) * Int(stat.ms_psize), info.me_mapsize)
    }
}

extension LMDBEnvironment.Access {
    fileprivate var flags: UInt32 {
        switch self {
        case .readWrite: UInt32(MDB_NOTLS | MDB_NORDAHEAD)
        case .readOnly: UInt32(MDB_NOTLS | MDB_RDONLY | MDB_NORDAHEAD)
        case .readOnlyWithoutLock: UInt32(MDB_NOTLS | MDB_RDONLY | MDB_NOLOCK | MDB_NORDAHEAD)
        }
    }
}
