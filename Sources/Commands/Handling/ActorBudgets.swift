// SPDX-License-Identifier: Apache-2.0
public import Events
import Synchronization
import Threads

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
    /// What an actor may still write.
    fileprivate struct Account {
        var events: RateLimiter<Timestamp>
        var bytes: RateLimiter<Timestamp>
        /// Whether it was told that this actor is over; until half of the budget is free again.
        var isTold = false

        init(_ budget: ActorBudget, at now: Timestamp) {
            events = RateLimiter(budget.ofEvents, at: now)
            bytes = RateLimiter(budget.ofBytes, at: now)
        }
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
            account.set(budget)
            defer { accounts[actor] = account }
            let wait = account.wait(at: now)
            guard wait > .zero else {
                if account.isHalfFree(at: now) { account.isTold = false }
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
            var account = accounts[actor] ?? Account(budget, at: now)
            account.set(budget)
            _ = account.events.take(Double(events), at: now)
            _ = account.bytes.take(Double(bytes), at: now)
            accounts[actor] = account
        }
    }

    private static func forget(_ accounts: inout [Actor: Account]) {
        let oldest = accounts.sorted { $0.value.events.lastUse < $1.value.events.lastUse }
        for (actor, _) in oldest.prefix(accounts.count / 2 + 1) { accounts[actor] = nil }
    }
}

extension ActorBudget {
    fileprivate var ofEvents: Rate {
        Rate(burst: Double(eventsPerMinute), perSecond: Double(eventsPerMinute) / 60)
    }
    fileprivate var ofBytes: Rate {
        Rate(burst: Double(bytesPerHour), perSecond: Double(bytesPerHour) / 3_600)
    }
}

extension ActorBudgets.Account {
    /// An actor's budget may have changed with its role.
    fileprivate mutating func set(_ budget: ActorBudget) {
        (events.rate, bytes.rate) = (budget.ofEvents, budget.ofBytes)
    }

    /// How long until something of both is there; zero if it is.
    fileprivate func wait(at now: Timestamp) -> Duration {
        let owed = [events, bytes].map { -$0.amount(at: now) / $0.rate.perSecond }.max() ?? 0
        return owed < 0 ? .zero : .seconds(max(1, owed))
    }

    fileprivate func isHalfFree(at now: Timestamp) -> Bool {
        [events, bytes].allSatisfy { 2 * $0.amount(at: now) >= $0.rate.burst }
    }
}
