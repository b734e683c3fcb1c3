// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// How each part of the gateway stands, by its name: what `/readyz` shows.
final class ServiceStandings: Sendable {
    /// Whether the gateway can serve without a part.
    enum Need: Sendable {
        /// Without it somebody's call goes wrong: `/readyz` answers 503 while it has a fault.
        case toServe
        /// It can be late: `/readyz` names its fault, and the gateway stays ready.
        case toKeepHouse
    }

    /// How one part stands.
    struct Standing: Sendable, Hashable {
        let name: String
        let need: Need
        /// What keeps it from its work; `nil` while it is well.
        var fault: Fault?
        /// How often it failed in a row.
        var failures = 0
        /// Whether the gateway cannot serve with the fault: one for want of room leaves what still goes.
        var isInTheWay: Bool {
            guard let fault else { return false }
            return need == .toServe && !fault.isForWantOfRoom
        }
    }

    private let standings = Mutex<[String: Standing]>([:])

    /// All of them, by name.
    var all: [Standing] {
        standings.withLock { $0.values.sorted { $0.name < $1.name } }
    }

    /// Whether every part is well that the gateway needs to serve.
    var canServe: Bool {
        standings.withLock { !$0.values.contains(where: \.isInTheWay) }
    }

    /// What keeps a part from its work; `nil` while it is well.
    func fault(of name: String) -> Fault? {
        standings.withLock { $0[name]?.fault }
    }

    /// A part is there.
    func begin(_ name: String, _ need: Need) {
        standings.withLock { $0[name] = $0[name] ?? Standing(name: name, need: need) }
    }

    /// A part has a fault; its newest words are shown.
    ///
    /// - Returns: Whether that is news, by its code.
    func fail(_ name: String, _ fault: Fault) -> Bool {
        standings.withLock { standings in
            let isNews = standings[name]?.fault?.code != fault.code
            standings[name]?.fault = fault
            standings[name]?.failures += 1
            return isNews
        }
    }

    /// A part is well.
    ///
    /// - Returns: Whether that is news.
    @discardableResult
    func recover(_ name: String) -> Bool {
        standings.withLock { standings in
            guard standings[name]?.fault != nil else { return false }
            standings[name]?.fault = nil
            standings[name]?.failures = 0
            return true
        }
    }
}
