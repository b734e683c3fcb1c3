// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Counts what stays open of one principal: sockets and feeds, or answers that are not read yet.
final class SocketQuota: Sendable {
    private let counts = Mutex<[String: Int]>([:])
    private let ofPrincipal: Int
    private let ofStranger: Int
    private let things: String

    /// - Parameters:
    ///   - things: What is counted, for whoever has too many.
    ///   - ofPrincipal: So many of whoever is signed in.
    ///   - ofStranger: So many of the strangers at one address.
    init(of things: String = "sockets and feeds", ofPrincipal: Int, ofStranger: Int) {
        self.things = things
        self.ofPrincipal = ofPrincipal
        self.ofStranger = ofStranger
    }

    /// What is open; the seat is free again when nobody holds this any more.
    final class Seat: Sendable {
        private let key: String
        private let quota: SocketQuota

        fileprivate init(_ key: String, _ quota: SocketQuota) {
            self.key = key
            self.quota = quota
        }

        deinit {
            quota.counts.withLock { counts in
                let others = counts[key, default: 1] - 1
                counts[key] = others == 0 ? nil : others
            }
        }
    }

    /// How many somebody has open.
    func count(of principal: Principal) -> Int {
        counts.withLock { $0[principal.holder, default: 0] }
    }

    /// Takes a seat for whoever sent a request.
    ///
    /// - Throws: 429 when all of theirs are taken.
    func seat(of principal: Principal?, at address: String) throws(Problem) -> Seat {
        let key = principal?.holder ?? "address/" + NetworkAddress.holder(of: address)
        let most = principal == nil ? ofStranger : ofPrincipal
        let isFree = counts.withLock { counts in
            guard counts[key, default: 0] < most else { return false }
            counts[key, default: 0] += 1
            return true
        }
        guard isFree else {
            throw .tooManyRequests(
                "\(most) \(things) of yours are open; close one",
                wait: .seconds(1)
            )
        }
        return Seat(key, self)
    }
}
