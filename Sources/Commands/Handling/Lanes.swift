// SPDX-License-Identifier: Apache-2.0
import Events
import Synchronization

/// Turns: on one subject one at a time, in the order of arrival; different subjects at once.
///
/// Without it all but one of many commands on one subject would decide in vain and begin again.
final class Lanes: Sendable {
    /// An entry for each subject on which somebody has the turn.
    private let queues = Mutex<[Subject: Queue]>([:])

    /// Waits for the turn; whoever got it must ``leave(_:)``.
    ///
    /// A cancelled task gets its turn like any other, and its command is decided.
    func enter(_ subject: Subject) async throws(CommandFault) {
        let isAdmitted = await withCheckedContinuation { turn in
            let verdict = queues.withLock { $0.enter(subject, turn) }
            if let verdict { turn.resume(returning: verdict) }
        }
        guard isAdmitted else {
            throw .busy(subject, waiting: CommandLimits.waitingPerSubjectMax)
        }
    }

    /// Gives the turn to whoever waits longest.
    func leave(_ subject: Subject) {
        queues.withLock { $0.leave(subject) }?.resume(returning: true)
    }
}

/// Resumed with whether the turn was given.
private typealias Turn = CheckedContinuation<Bool, Never>

/// Those behind whoever has the turn, oldest first.
private struct Queue {
    private var turns: [Turn] = []
    private var first = 0

    var count: Int { turns.count - first }

    mutating func append(_ turn: Turn) {
        turns.append(turn)
    }

    mutating func removeFirst() -> Turn? {
        guard first < turns.count else { return nil }
        let turn = turns[first]
        first += 1
        // Those who had their turn are let go in time, also while others keep coming.
        if first >= 64, first * 2 >= turns.count {
            turns.removeFirst(first)
            first = 0
        }
        return turn
    }
}

extension [Subject: Queue] {
    /// `nil` if the turn will come later.
    fileprivate mutating func enter(_ subject: Subject, _ turn: Turn) -> Bool? {
        guard let queue = self[subject] else {
            self[subject] = Queue()
            return true
        }
        guard queue.count < CommandLimits.waitingPerSubjectMax else { return false }
        self[subject]?.append(turn)
        return nil
    }

    fileprivate mutating func leave(_ subject: Subject) -> Turn? {
        let next = self[subject]?.removeFirst()
        if next == nil { self[subject] = nil }
        return next
    }
}
