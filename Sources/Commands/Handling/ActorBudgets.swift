// SPDX-License-Identifier: Apache-2.0
public import Events
import Synchronization

/// How much history one actor may write: events a minute and bytes an hour, as much at once as in that time.
public struct ActorBudget: Hashable, Sendable {
    public var eventsPerMinute: Int
    public var bytesPerHour: Int

    public init(eventsPerMinute: Int, bytesPerHour: Int) {
        self.eventsPerMinute = eventsPerMinute
        self.bytesPerHour = bytesPerHour
    }
}

/// Holds actors to their budgets, by the clock of their commands.
///
/// What was written drains at the budget's own rate. Kept in memory: a restart forgives.
public final class ActorBudgets: Sendable {
    /// What an actor has written and what of it has not drained yet.
    fileprivate struct Account {
        var events = 0.0
        var bytes = 0.0
        var at: Timestamp
        /// Whether it was told that this actor is over; until half of the budget is free again.
        var isTold = false
    }

    /// That an actor may not write now.
    struct Excess: Hashable {
        let wait: Duration
        /// Whether nobody was told yet.
        let isNews: Bool
    }

    private let capacity: Int
    private let budget: @Sendable (Actor) -> ActorBudget?
    private let accounts = Mutex<[Actor: Account]>([:])

    /// - Parameters:
    ///   - capacity: Actors that are remembered; the ones who were quiet for longest are forgotten.
    ///   - budget: What an actor may write; `nil` for one that has no bound, such as a policy.
    public init(capacity: Int, _ budget: @escaping @Sendable (Actor) -> ActorBudget?) {
        self.capacity = capacity
        self.budget = budget
    }

    /// Why an actor may not write now; `nil` if it may.
    func excess(of actor: Actor, at now: Timestamp) -> Excess? {
        guard let budget = budget(actor) else { return nil }
        return accounts.withLock { accounts in
            guard var account = accounts[actor] else { return nil }
            account.drain(to: now, budget)
            defer { accounts[actor] = account }
            let wait = account.wait(budget)
            guard wait > .zero else {
                if account.isHalfFree(budget) { account.isTold = false }
                return nil
            }
            defer { account.isTold = true }
            return Excess(wait: wait, isNews: !account.isTold)
        }
    }

    /// Counts what an actor wrote.
    func charge(_ actor: Actor, events: Int, bytes: Int, at now: Timestamp) {
        guard let budget = budget(actor) else { return }
        accounts.withLock { accounts in
            if accounts[actor] == nil, accounts.count >= capacity { Self.forget(&accounts) }
            var account = accounts[actor] ?? Account(at: now)
            account.drain(to: now, budget)
            account.events += Double(events)
            account.bytes += Double(bytes)
            accounts[actor] = account
        }
    }

    private static func forget(_ accounts: inout [Actor: Account]) {
        let oldest = accounts.sorted { $0.value.at < $1.value.at }
        for (actor, _) in oldest.prefix(accounts.count / 2 + 1) { accounts[actor] = nil }
    }
}

extension ActorBudgets.Account {
    fileprivate mutating func drain(to now: Timestamp, _ budget: ActorBudget) {
        // A clock that was set back gives nothing, and takes nothing away.
        let seconds = max(0, Double(now.microseconds - at.microseconds) / 1_000_000)
        at = max(at, now)
        events = max(0, events - seconds * Double(budget.eventsPerMinute) / 60)
        bytes = max(0, bytes - seconds * Double(budget.bytesPerHour) / 3_600)
    }

    /// How long until both are below the budget; zero if they are.
    fileprivate func wait(_ budget: ActorBudget) -> Duration {
        let ofEvents =
            (events - Double(budget.eventsPerMinute)) * 60 / Double(budget.eventsPerMinute)
        let ofBytes = (bytes - Double(budget.bytesPerHour)) * 3_600 / Double(budget.bytesPerHour)
        let seconds = max(ofEvents, ofBytes)
        return seconds < 0 ? .zero : .seconds(max(1, seconds))
    }

    fileprivate func isHalfFree(_ budget: ActorBudget) -> Bool {
        events * 2 <= Double(budget.eventsPerMinute) && bytes * 2 <= Double(budget.bytesPerHour)
    }
}
