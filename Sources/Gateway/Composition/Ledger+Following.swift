// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import Logging

/// What has ended by the ledger ends in the accounts, which may be an earlier day's, or hold rows of one (decision 0055).
extension Ledger {
    /// Brings all accounts to what the ledger says of them, as after a time in which they could not be written.
    ///
    /// They are behind until all of it is made.
    func followAll() async throws {
        let failures = accounts.following.failures
        do {
            for user in try await accounts.users() {
                try await settle(user)
                try await followPassword(of: user)
            }
            try await followEnds()
        } catch {
            accounts.following.fallBehind(error)
            throw error
        }
        accounts.following.catchUp(since: failures)
    }

    /// Ends the tokens, sign-ins and phones of which the log says that they ended, whenever that was.
    ///
    /// - Returns: What the log says.
    /// - Throws: Also for an entry that cannot be read, when the other ends are made.
    @discardableResult
    func followEnds() async throws -> AccountStore.Ends {
        let ends = try await ends()
        let count = try await accounts.make(ends)
        if count > 0 {
            logger.warning(
                "the accounts had tokens or phones that had ended by the ledger; they have ended",
                metadata: ["category": "security", "count": "\(count)"]
            )
        }
        if let unread = ends.unread { throw unread }
        return ends
    }

    /// All that has ended: tokens and phones by name, and whose sign-ins ended when.
    func ends() async throws -> AccountStore.Ends {
        var ends = AccountStore.Ends()
        each(UserTokenRevoked.kind, of: &ends) { event, ends in
            if case .user(.tokenRevoked(let fact)) = event.fact { ends.tokens.insert(fact.token) }
        }
        each(UserTokenIssued.kind, of: &ends) { event, ends in
            if case .user(.tokenIssued(let fact)) = event.fact { ends.tokens.insert(fact.token) }
        }
        for user in try await accounts.users() {
            let known = try handler.current(User.self, UserID(unchecked: user.id))
            ends.issued.formUnion(known.issuedTokens)
            ends.users[user.id] = known.tokensEnded?.date
            ends.signIns[user.id] = known.leftAt?.date
        }
        ends.tokens.subtract(ends.issued)
        each(DeviceRegistered.kind, of: &ends) { event, ends in
            guard case .device(.registered(let fact)) = event.fact,
                let device = DeviceID(String(event.envelope.subject.name))
            else { return }
            ends.registered["\(device)"] = AccountStore.KnownPhone(
                device: device,
                position: event.envelope.position.rawValue,
                person: fact.person,
                organisation: event.envelope.organisation
            )
        }
        each(DeviceRevoked.kind, of: &ends) { event, ends in
            ends.devices.insert(String(event.envelope.subject.name))
        }
        return ends
    }

    /// Takes in the events of a kind; what cannot be read is noted, and keeps no other kind from being taken in.
    private func each(
        _ kind: Kind,
        of ends: inout AccountStore.Ends,
        _ take: (RecordedEvent, inout AccountStore.Ends) -> Void
    ) {
        do {
            try each(kind) { take($0, &ends) }
        } catch {
            ends.unread = ends.unread ?? error
        }
    }

    /// Goes through the events of a kind.
    func each(
        _ kind: Kind,
        since first: UInt64 = 0,
        _ take: (RecordedEvent) -> Void
    ) throws {
        let decoder = EventDecoder()
        var next = LogPosition(first)
        while let page = try Optional(log.entries(of: kind, from: next)), let last = page.last {
            for entry in page { take(try decoder.decode(entry)) }
            next = last.envelope.position.next
        }
    }
}

extension Timestamp {
    /// To the millisecond below, as the tables have it.
    var date: Date { Date(milliseconds: microseconds / 1_000) }
}
