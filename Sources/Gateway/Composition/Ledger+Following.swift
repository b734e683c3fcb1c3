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
                try await unlessUnread(user) {
                    try await settle(user)
                    try await followPassword(of: user)
                }
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
    /// Entries that cannot be read keep none of the others from being made.
    ///
    /// - Returns: What the log says.
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
        note(ends.unread)
        return ends
    }

    /// All that has ended: tokens and phones by name, and whose sign-ins ended when.
    func ends() async throws -> AccountStore.Ends {
        var ends = AccountStore.Ends()
        let tokens = try each(UserTokenRevoked.kind, of: &ends) { event, ends in
            if case .user(.tokenRevoked(let fact)) = event.fact { ends.tokens.insert(fact.token) }
        }
        try await noteEndsOfUsers(in: &ends)
        let registrations = try each(DeviceRegistered.kind, of: &ends) { event, ends in
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
        let phones = try each(DeviceRevoked.kind, of: &ends) { event, ends in
            ends.devices.insert(String(event.envelope.subject.name))
        }
        ends.unread.positions.formUnion(tokens + registrations + phones)
        return ends
    }

    /// What the state of each user says; a token that was issued, and is not good by it, has ended.
    private func noteEndsOfUsers(in ends: inout AccountStore.Ends) async throws {
        var holders: [String: String] = [:]
        let damaged = try each(UserTokenIssued.kind, of: &holders) { event, holders in
            guard case .user(.tokenIssued(let fact)) = event.fact else { return }
            holders[fact.token] = String(event.envelope.subject.name)
        }
        ends.unread.positions.formUnion(damaged)
        for user in try await accounts.users() {
            do {
                let known = try handler.current(User.self, UserID(unchecked: user.id))
                ends.issued.formUnion(known.issuedTokens)
                ends.users[user.id] = known.tokensEnded?.date
                ends.signIns[user.id] = known.leftAt?.date
            } catch let error where error.isOfDamage {
                ends.unread.users.insert(user.id)
            }
        }
        // Of whom the entries cannot be read the tokens are refused, and are good again with the entries.
        for (token, user) in holders where !ends.unread.users.contains(user) {
            ends.tokens.insert(token)
        }
        ends.tokens.subtract(ends.issued)
    }

    /// Goes through the events of a kind, past those that cannot be read.
    ///
    /// - Returns: Where those stand.
    func each<Found>(
        _ kind: Kind,
        since first: UInt64 = 0,
        of found: inout Found,
        _ take: (RecordedEvent, inout Found) -> Void
    ) throws -> [LogPosition] {
        let decoder = EventDecoder()
        var damaged: [LogPosition] = []
        var next: LogPosition? = LogPosition(first)
        while let position = next {
            let page = try log.entriesPastDamage(of: kind, from: position)
            damaged += page.damaged
            for entry in page.entries {
                do throws(EventDecodingError) {
                    take(try decoder.decode(entry), &found)
                } catch {
                    log.noteUnreadable(entry.envelope.position)
                    damaged.append(entry.envelope.position)
                }
            }
            next = page.next
        }
        return damaged
    }

    /// Does something for an account, unless its entries cannot be read: then it may do nothing, and keeps nobody else waiting.
    ///
    /// - Returns: What came of it; `nil` where nothing was done.
    @discardableResult
    func unlessUnread<Value>(
        _ user: UserAccount,
        _ work: () async throws -> Value
    ) async throws -> Value? {
        do {
            return try await work()
        } catch let error where error.isOfDamage {
            note(UnreadEntries(users: [user.id]))
        } catch AccountError.accountUnreadable {
            note(UnreadEntries(users: [user.id]))
        }
        return nil
    }

    /// Shows what cannot be read of accounts and phones, and tells of it once.
    func note(_ unread: UnreadEntries) {
        guard accounts.following.note(unread), let fault = accounts.following.unread.fault else {
            return
        }
        logger.critical(
            "entries about accounts and phones cannot be read; whose they are may do nothing until they can",
            metadata: ["category": "security", "fault": "\(fault.words)"]
        )
    }
}

extension PagePastDamage {
    /// What the entries say; one that does not have its kind's form is noted by the log, and passed.
    func events(of log: EventLog) -> [RecordedEvent] {
        let decoder = EventDecoder()
        return entries.compactMap { entry in
            do throws(EventDecodingError) {
                return try decoder.decode(entry)
            } catch {
                log.noteUnreadable(entry.envelope.position)
                return nil
            }
        }
    }
}

extension Timestamp {
    /// To the millisecond below, as the tables have it.
    var date: Date { Date(milliseconds: microseconds / 1_000) }
}
