// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
import Synchronization
import Testing

@testable import Events

@Suite(.timeLimit(.minutes(10))) struct `The readers of an environment` {
    /// How many are in, and how many were at most.
    private struct Crowd {
        var now = 0
        var most = 0

        mutating func enter() {
            now += 1
            most = max(most, now)
        }
    }

    @Test func `wait for each other when they are too many`() {
        let pool = ReaderPool(activeMax: 2)
        let crowd = Mutex(Crowd())
        DispatchQueue.concurrentPerform(iterations: 64) { _ in
            do throws(LMDBError) {
                let reader = try pool.enter()
                crowd.withLock { $0.enter() }
                sched_yield()
                crowd.withLock { $0.now -= 1 }
                #expect(!pool.leave(reader))
            } catch {
                Issue.record(error)
            }
        }
        let seen = crowd.withLock { $0 }
        #expect(1...2 ~= seen.most && seen.now == 0)
        #expect(pool.close())
        #expect(throws: LMDBError(code: EBADF)) { try pool.enter() }
    }

    @Test func `are kept out while something moves`() {
        let pool = ReaderPool(activeMax: 64)
        let crowd = Mutex(Crowd())
        DispatchQueue.concurrentPerform(iterations: 200) { number in
            do throws(LMDBError) {
                guard number.isMultiple(of: 10) else {
                    let reader = try pool.enter()
                    crowd.withLock { $0.enter() }
                    sched_yield()
                    crowd.withLock { $0.now -= 1 }
                    _ = pool.leave(reader)
                    return
                }
                try pool.withoutReaders {
                    let inside = crowd.withLock { $0.now }
                    #expect(inside == 0)
                }
            } catch {
                Issue.record(error)
            }
        }
        #expect(pool.close())
    }

    @Test func `make do with the places they have when the table of all processes is full`() throws
    {
        let pool = ReaderPool(activeMax: 8)
        let first = try pool.enter()
        #expect(!pool.makeDo())
        _ = try pool.enter()
        #expect(pool.makeDo())
        #expect(!pool.leave(nil))
        #expect(!pool.leave(first))
        #expect(pool.close())
    }
}
