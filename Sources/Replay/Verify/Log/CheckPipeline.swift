// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Checks batches on several threads and hands the results over in the order of the batches.
///
/// Whoever submits waits while ``ReplayLimits/batchesWaitingMax`` batches wait to be checked or merged, so memory stays
/// bounded. The batch that is merged next is never kept back by those behind it: threads take them in order and never wait
/// for that limit, so it is being checked when all others are done.
final class CheckPipeline: @unchecked Sendable {
    // Every property below is touched under `condition` only.
    private let condition = NSCondition()
    private var waiting: [EntryBatch] = []
    private var finished: [Int: BatchResult] = [:]
    private var nextNumber = 0
    private var isMerging = false
    private var isClosed = false
    private var running: Int
    private let merge: (BatchResult) -> Void

    /// Starts the threads.
    ///
    /// - Parameters:
    ///   - threads: How many check.
    ///   - scope: What they look at.
    ///   - merge: Takes one result after the other, never two at a time, on any of the threads.
    init(threads: Int, _ scope: EntryChecker.Scope, merge: @escaping (BatchResult) -> Void) {
        self.merge = merge
        running = threads
        for number in 0..<threads {
            let thread = Thread { [self] in work(EntryChecker(scope)) }
            thread.name = "check-\(number)"
            thread.start()
        }
    }

    /// Hands over a batch; waits while too many do.
    func submit(_ batch: EntryBatch) {
        condition.lock()
        while waiting.count + finished.count >= ReplayLimits.batchesWaitingMax { condition.wait() }
        waiting.append(batch)
        condition.broadcast()
        condition.unlock()
    }

    /// Waits until everything submitted is checked and merged.
    func finish() {
        condition.lock()
        isClosed = true
        condition.broadcast()
        while running > 0 { condition.wait() }
        condition.unlock()
    }

    private func work(_ checker: EntryChecker) {
        var checker = checker
        condition.lock()
        while true {
            if let batch = waiting.first {
                waiting.removeFirst()
                condition.broadcast()
                condition.unlock()
                let result = checker.check(batch)
                condition.lock()
                finished[result.number] = result
                mergeWhatIsNext()
            } else if isClosed {
                break
            } else {
                condition.wait()
            }
        }
        running -= 1
        condition.broadcast()
        condition.unlock()
    }

    /// Merges as far as results follow each other; the lock is held before and after, not between.
    private func mergeWhatIsNext() {
        guard !isMerging else { return }
        isMerging = true
        while let result = finished.removeValue(forKey: nextNumber) {
            condition.unlock()
            merge(result)
            condition.lock()
            nextNumber += 1
            condition.broadcast()
        }
        isMerging = false
    }
}
