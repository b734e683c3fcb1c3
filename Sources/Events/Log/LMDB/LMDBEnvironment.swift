// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
import Foundation
import Glibc
import Synchronization

/// One LMDB environment: a folder with `data.mdb` and `lock.mdb`, opened once per process.
///
/// Default sync: a commit that returned is on disk. Readers are not tied to threads (`MDB_NOTLS`).
final class LMDBEnvironment: @unchecked Sendable {
    // An MDB_env may be used from any thread; write transactions exclude each other inside liblmdb, and the pool keeps
    // readers out while the map moves.
    private let handle: OpaquePointer
    private let path: String
    private let readers: ReaderPool
    /// The most that the map may take.
    private let mapBytesMax: Int
    /// Why the map could not be enlarged last time.
    private let mapFault = Mutex<LMDBError?>(nil)
    /// Whether it reads without a place in the reader table, so that a writer may reuse pages under it.
    let isLockFree: Bool

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
    /// - Parameters:
    ///   - folder: The folder.
    ///   - access: How it is opened.
    ///   - map: How large the map is at first, and may become; it is never less than ``LogLimits/mapRatioMin`` times the file.
    ///   - tablesMax: How many tables it has.
    ///   - readersMax: How many may read at once in this process.
    /// - Throws: ``LMDBError``: not a database, damaged meta pages, no permission, map too large for the address space.
    init(
        folder: String,
        access: Access,
        map: MapSize,
        tablesMax: Int,
        readersMax: Int = LogLimits.readersOfProcessMax
    ) throws(LMDBError) {
        var created: OpaquePointer?
        try check(mdb_env_create(&created))
        guard let environment = created else { throw LMDBError(code: ENOMEM) }
        do throws(LMDBError) {
            try check(mdb_env_set_mapsize(environment, map.bytes(over: "\(folder)/data.mdb")))
            try check(mdb_env_set_maxreaders(environment, UInt32(LogLimits.readersMax)))
            try check(mdb_env_set_maxdbs(environment, UInt32(tablesMax)))
            try check(mdb_env_open(environment, folder, access.flags, 0o640))
        } catch {
            mdb_env_close(environment)
            throw error
        }
        handle = environment
        path = "\(folder)/data.mdb"
        readers = ReaderPool(activeMax: readersMax)
        mapBytesMax = map.bytesMax
        isLockFree = access == .readOnlyWithoutLock
    }

    deinit {
        close()
    }

    /// Closes the environment once nobody reads any more; one process may have it open only once.
    ///
    /// The caller has ended writing. Reads that begin afterwards fail with `EBADF`.
    func close() {
        if readers.close() { mdb_env_close(handle) }
    }

    /// Begins a write transaction; waits for another one to end.
    ///
    /// It must end on the thread that began it. Whoever writes also closes, on the same thread, so that nothing is
    /// closed under a writer.
    func beginWrite() throws(LMDBError) -> LMDBTransaction {
        guard readers.isOpen else { throw LMDBError(code: EBADF) }
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

    // MARK: Reading

    /// Begins a read transaction that the caller ends: where nobody else of this process uses the environment.
    func beginRead() throws(LMDBError) -> LMDBTransaction {
        do throws(LMDBError) {
            return try LMDBTransaction(environment: handle, flags: UInt32(MDB_RDONLY))
        } catch  where error.code == MDB_MAP_RESIZED {
            try enlargeMap(to: mapBytesNeeded)
            return try LMDBTransaction(environment: handle, flags: UInt32(MDB_RDONLY))
        }
    }

    /// Runs work in a read transaction: a snapshot of the last commit, which ends with the work.
    ///
    /// Transactions are kept and renewed, so reading costs no allocation. Only so many of this process read at once; the
    /// others wait, also while the map moves, so the work must not read the same environment again. Without a lock the
    /// work runs again when pages may have been reused under it, so it must not act on anything else.
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

    /// Writes `data.mdb` as the newest commit left it into an open file, beside whoever writes.
    ///
    /// - Parameter descriptor: A new file, at its beginning.
    /// - Throws: ``LMDBError``, also for what writing the file met.
    func copy(to descriptor: Int32) throws(LMDBError) {
        try check(mdb_env_copyfd2(handle, descriptor, 0))
    }

    /// The number of the newest commit.
    var lastTransaction: Int {
        var info = MDB_envinfo()
        mdb_env_info(handle, &info)
        return info.me_last_txnid
    }

    /// Bytes of the file.
    var bytesOfFile: Int { fileBytes(path) ?? 0 }

    private func renewedReader() throws(LMDBError) -> OpaquePointer {
        while true {
            var reader = try readers.enter()
            let code =
                reader.map { mdb_txn_renew($0) }
                ?? mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &reader)
            if code == MDB_SUCCESS, let reader { return reader }
            switch code {
            case MDB_MAP_RESIZED:
                // Another process wrote more than this one's map has room for.
                leave(reader)
                try enlargeMap(to: mapBytesNeeded)
            case MDB_READERS_FULL where readers.makeDo():
                leave(nil)
            default:
                leave(reader)
                throw LMDBError(code: code == MDB_SUCCESS ? ENOMEM : code)
            }
        }
    }

    private func keep(_ transaction: OpaquePointer) {
        mdb_txn_reset(transaction)
        leave(transaction)
    }

    private func leave(_ reader: OpaquePointer?) {
        if readers.leave(reader) { mdb_env_close(handle) }
    }

    // MARK: The map

    /// Bytes of the map in use and its size.
    var usage: (used: Int, map: Int) {
        var info = MDB_envinfo()
        var stat = MDB_stat()
        mdb_env_info(handle, &info)
        mdb_env_stat(handle, &stat)
        return ((info.me_last_pgno + 1) * Int(stat.ms_psize), info.me_mapsize)
    }

    /// How much the map can still take, with what it may grow.
    var mapBytesLeft: Int {
        let usage = usage
        let end = mapFault.withLock { $0 } == nil ? max(mapBytesMax, usage.map) : usage.map
        return end - usage.used
    }

    /// Why the map is full, for people.
    var fullMapReason: String {
        let fault = mapFault.withLock { $0 }.map { ": \($0)" } ?? ""
        return "the map has \(usage.map) bytes and cannot grow, the limit is \(mapBytesMax)\(fault)"
    }

    /// Keeps the map at ``LogLimits/mapRatioMin`` times what is used, as far as it may grow.
    ///
    /// By the writer, between transactions. That it cannot grow shows in ``mapBytesLeft``.
    func keepRoom() {
        let usage = usage
        guard usage.used > usage.map / LogLimits.mapRatioMin else { return }
        _ = grow(to: 2 * mapBytesNeeded)
    }

    /// Enlarges the map after a transaction did not fit.
    ///
    /// - Returns: Whether it is larger now, so that the transaction may be tried again.
    func makeRoom() -> Bool {
        grow(to: max(2 * mapBytesNeeded, 2 * usage.map))
    }

    private var mapBytesNeeded: Int { LogLimits.mapRatioMin * usage.used }

    private func grow(to bytes: Int) -> Bool {
        let before = usage.map
        let goal = min(bytes, mapBytesMax)
        guard goal > before else { return false }
        do throws(LMDBError) {
            try enlargeMap(to: goal)
            mapFault.withLock { $0 = nil }
        } catch {
            mapFault.withLock { $0 = error }
        }
        return usage.map > before
    }

    private func enlargeMap(to bytes: Int) throws(LMDBError) {
        let page = Int(getpagesize())
        let bytes = (bytes + page - 1) / page * page
        try readers.withoutReaders { () throws(LMDBError) in
            guard bytes > usage.map else { return }
            // liblmdb gives the old map up before it asks for the new one, and has none if that fails.
            let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
            // The system answers −1 where there is none.
            guard let room = mmap(nil, bytes, PROT_NONE, flags, -1, 0), Int(bitPattern: room) != -1
            else { throw LMDBError(code: errno) }
            munmap(room, bytes)
            try check(mdb_env_set_mapsize(handle, bytes))
        }
    }
}

/// How large a map is, in bytes.
struct MapSize: Sendable {
    /// At first.
    let bytes: Int
    /// At most, unless the file is larger already.
    let bytesMax: Int

    init(bytes: Int, bytesMax: Int = LogLimits.mapBytesMax) {
        self.bytes = bytes
        self.bytesMax = max(bytes, bytesMax)
    }

    /// The size over a file that may be there already.
    func bytes(over file: String) -> Int {
        // One that is not there, or cannot be looked at, counts as empty: opening it says more.
        let attributes = try? FileManager.default.attributesOfItem(atPath: file)
        let fileBytes = (attributes?[.size] as? Int) ?? 0
        return max(bytes, min(LogLimits.mapRatioMin * fileBytes, bytesMax))
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
