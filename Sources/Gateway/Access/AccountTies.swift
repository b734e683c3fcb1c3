// SPDX-License-Identifier: Apache-2.0
import Commands
import Events

/// Behind which accounts one person may stand: whoever made an account, opened it, promoted it or set its password within 24 hours
/// may know its password, in either direction and over any number of accounts between (decision 0031).
struct AccountTies {
    private var known: [UserID: [(account: UserID, end: Timestamp)]] = [:]
    /// The accounts of which it cannot be read who made them; whom they made, the others' entries say.
    var unread: Set<UserID> = []

    /// Takes in who made an account, as far as that still holds.
    mutating func add(_ makers: [UserID: Timestamp], of account: UserID, at now: Timestamp) {
        for (maker, moment) in makers where now - moment < Approval.distance {
            known[account, default: []].append((maker, moment + Approval.distance))
            known[maker, default: []].append((account, moment + Approval.distance))
        }
    }

    /// The accounts that are tied to one.
    ///
    /// - Returns: Of each, when the last chain of ties to it will have come apart: a chain holds as long as its weakest tie.
    func reached(from user: UserID) -> [UserID: Timestamp] {
        var ends: [UserID: Timestamp] = [:]
        var open = [user]
        while let next = open.popLast() {
            for tie in known[next, default: []] where tie.account != user {
                let end = ends[next].map { min($0, tie.end) } ?? tie.end
                guard ends[tie.account].map({ $0 < end }) ?? true else { continue }
                ends[tie.account] = end
                open.append(tie.account)
            }
        }
        return ends
    }

    /// An account that cannot be read, and over which one person may stand behind any of these.
    ///
    /// Its own ties lead from it to whoever made it, and may lead to anybody. So it matters to whoever is it, or is tied to it by
    /// what can be read; whom nothing ties to it has it behind them by no chain that goes on.
    func unread(near people: [UserID]) -> UserID? {
        guard !unread.isEmpty else { return nil }
        let near = people.reduce(into: Set(people)) { $0.formUnion(reached(from: $1).keys) }
        return unread.intersection(near).min { $0.text < $1.text }
    }
}
