// SPDX-License-Identifier: Apache-2.0
internal import CLMDB
import Foundation
import Glibc

/// Who reads an environment in this process: so many at once, the others wait; nobody while its map moves.
///
/// A read is short (a page), so whoever waits, waits for milliseconds. A reader must not begin another read meanwhile.
final class ReaderPool: @unchecked Sendable {
    // Everything below is read and changed under this lock alone.
    private let condition = NSCondition()
    /// Read transactions between two uses: they keep their place in the reader table.
    private var idle: [OpaquePointer] = []
    private var active = 0
    private var activeMax: Int
    private var isMapMoving = false
    private var isClosed = false

    init(activeMax: Int) {
        self.activeMax = activeMax
    }

    /// Takes a place, and the transaction of an earlier reader if one is idle; waits while all places are taken.
    ///
    /// - Throws: `EBADF` once the pool is closed.
    func enter() throws(LMDBError) -> OpaquePointer? {
        condition.lock()
        defer { condition.unlock() }
        while !isClosed, isMapMoving || active >= activeMax { condition.wait() }
        guard !isClosed else { throw LMDBError(code: EBADF) }
        active += 1
        return idle.popLast()
    }

    /// Gives a place back, with the transaction to be used again.
    ///
    /// - Returns: Whether the pool is closed and this was the last reader.
    func leave(_ reader: OpaquePointer?) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        active -= 1
        condition.broadcast()
        if let reader {
            // Under the lock, so that it ends before whoever is last closes the environment.
            if isClosed { mdb_txn_abort(reader) } else { idle.append(reader) }
        }
        return isClosed && active == 0
    }

    /// Makes do with the places that the others of this pool hold, because the table of all processes is full.
    ///
    /// - Returns: Whether there are any; without them nothing would come free by waiting.
    func makeDo() -> Bool {
        condition.lock()
        defer { condition.unlock() }
        guard active > 1 else { return false }
        activeMax = min(activeMax, active - 1)
        return true
    }

    /// Does what needs that nobody reads.
    ///
    /// - Throws: What it throws; `EBADF` once the pool is closed.
    func withoutReaders(_ work: () throws(LMDBError) -> Void) throws(LMDBError) {
        condition.lock()
        defer { condition.unlock() }
        while !isClosed, isMapMoving { condition.wait() }
        isMapMoving = true
        defer {
            isMapMoving = false
            condition.broadcast()
        }
        while !isClosed, active > 0 { condition.wait() }
        guard !isClosed else { throw LMDBError(code: EBADF) }
        try work()
    }

    var isOpen: Bool {
        condition.lock()
        defer { condition.unlock() }
        return !isClosed
    }

    /// Lets nobody in any more and ends the idle transactions.
    ///
    /// - Returns: Whether it was open and nobody reads; otherwise the last reader hears it.
    func close() -> Bool {
        condition.lock()
        defer { condition.unlock() }
        guard !isClosed else { return false }
        isClosed = true
        for reader in idle { mdb_txn_abort(reader) }
        idle = []
        condition.broadcast()
        return active == 0
    }
}
