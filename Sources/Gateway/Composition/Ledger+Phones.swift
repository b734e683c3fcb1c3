// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Logging
import Projections
import Synchronization

/// Phones, in the ledger and among the accounts.
extension Ledger {
    /// Ends a registered phone, its tokens and its pushes: also one that the ledger or the accounts alone know.
    func revokeDevice(
        _ device: DeviceID,
        reason: String,
        _ context: CommandContext
    ) async throws {
        try await accounts.probe()
        let known = try handler.current(Device.self, device)
        guard known.person != nil || known.codeOwner != nil else {
            guard try await accounts.device(id: "\(device)") != nil else {
                throw RevokeDevice.Refusal.unknown(device)
            }
            return try await endUnregistered(["\(device)"])
        }
        try await accounts.following.change {
            _ = try await handler.handle(RevokeDevice(device, reason: reason), context)
        } making: {
            try await accounts.revokeDevice(id: "\(device)")
        }
    }

    /// Whose a phone is, by the accounts or, where they have lost it, by the ledger.
    func organisation(of device: DeviceID) async throws -> String? {
        if let found = try await accounts.device(id: "\(device)") { return found.org }
        guard let entry = try log.entries(of: .device(device), limit: 1).first else { return nil }
        return entry.envelope.organisation.text
    }

    private func endUnregistered(_ ids: [String]) async throws {
        for id in ids { try await accounts.revokeDevice(id: id) }
        logger.critical(
            "the accounts had phones that the ledger did not register so; they have ended",
            metadata: ["category": "security", "devices": .array(ids.map { "\($0)" })]
        )
    }

    /// Whether a crash may have come between the accounts and the event of a registration: its code is open by the ledger.
    private func isCutOff(_ id: String) throws -> Bool {
        guard let device = DeviceID(id) else { return false }
        let known = try handler.current(Device.self, device)
        return known.person == nil && !known.isRevoked
            && (known.code.map { $0.expires > now } ?? false)
    }

    private func takeBack(_ id: String) async throws {
        try await accounts.undoRegistration(of: id, by: nil)
        logger.notice(
            "a registration was cut off before the ledger knew of it; its code is good again",
            metadata: ["device": "\(id)"]
        )
    }

    /// Brings the phones to what the ledger says of them, at a start: no registration is between the accounts and its event.
    ///
    /// One that is not as its event says acts no more; and of one that cannot act any more the ledger is told, so that nobody
    /// takes it for good.
    /// One whose entries cannot be read is refused as long as they cannot, and is not ended for good.
    func followPhones(_ ends: AccountStore.Ends) async throws {
        let phones = try await accounts.phones().filter { !$0.isRevoked }
        let strange = phones.filter { !ends.registered[$0.id].isOf($0) }.map(\.id)
        // What was passed over may be of any of them.
        let doubted = ends.unread.positions.isEmpty ? strange : phones.map(\.id)
        let unread = Set(try doubted.filter(isUnread))
        note(UnreadEntries(phones: unread))
        let torn = try strange.filter { try !unread.contains($0) && isCutOff($0) }
        for id in torn { try await takeBack(id) }
        let ended = strange.filter { !torn.contains($0) && !unread.contains($0) }
        if !ended.isEmpty { try await endUnregistered(ended) }
        try await followLostPhones(ends.registered)
    }

    /// Whether a phone's own entries cannot be read.
    private func isUnread(_ id: String) throws -> Bool {
        guard let device = DeviceID(id) else { return false }
        do {
            _ = try handler.current(Device.self, device)
            return false
        } catch let error where error.isOfDamage {
            return true
        }
    }

    /// Tells the ledger of phones that the accounts do not have any more that they ended.
    ///
    /// Where the accounts were made anew, the ones that were lost may turn up: then it waits for a day.
    func followLostPhones(_ registered: [String: AccountStore.KnownPhone]) async throws {
        let lost = try await lostPhones(of: registered)
        guard !lost.isEmpty else { return }
        if let end = try await accountsMayTurnUp(), now < end {
            guard phonesOwed.owe(at: end) else { return }
            logger.warning(
                "phones are not in accounts.db, which was made anew; the ledger is told that they ended, unless the one before turns up",
                metadata: ["category": "security", "count": "\(lost.count)", "at": "\(end)"]
            )
            return
        }
        for phone in lost {
            let command = RevokeDevice(phone.device, reason: "the accounts do not have it any more")
            let context = context(actor: .ledger, organisation: phone.organisation)
            _ = try await handler.handle(command, context)
            logger.warning(
                "a phone is not among the accounts any more; the ledger was told that it ended",
                metadata: ["category": "security", "device": "\(phone.device)"]
            )
        }
    }

    /// The phones that are good by the ledger, and that the accounts do not have or call ended, oldest first.
    private func lostPhones(
        of registered: [String: AccountStore.KnownPhone]
    ) async throws -> [AccountStore.KnownPhone] {
        let good = Set(try await accounts.phones().filter { !$0.isRevoked }.map(\.id))
        return try registered.values.sorted { $0.position < $1.position }.filter { phone in
            guard phone.position >= begun, !good.contains("\(phone.device)") else { return false }
            do {
                return try !handler.current(Device.self, phone.device).isRevoked
                    && !handler.current(Person.self, phone.person).isErased
            } catch let error where error.isOfDamage {
                // Nothing can be recorded of it either.
                note(UnreadEntries(phones: ["\(phone.device)"]))
                return false
            }
        }
    }

    /// Until when accounts may turn up that were lost; `nil` where those that are here are as old as the ledger.
    private func accountsMayTurnUp() async throws -> Timestamp? {
        let made = try log.entriesPastDamage(of: UserCreated.kind, from: LogPosition(begun))
        guard let told = made.entries.first?.envelope.time,
            let oldest = try await accounts.users().map(\.created).min()
        else { return nil }
        return LostAccounts.findableUntil(oldest: Timestamp(oldest), told: told)
    }

    /// Tells the ledger of lost phones as soon as nobody waits for them any more.
    func tellLostPhones() async throws {
        guard phonesOwed.take(at: now) else { return }
        do {
            // First what the ledger says: a phone is among the accounts before it is told of.
            try await followLostPhones(try await ends().registered)
        } catch {
            _ = phonesOwed.owe(at: now + .seconds(60))
            throw error
        }
    }
}

/// Whether phones that were lost are to be told to the ledger, and when.
final class PhonesOwed: Sendable {
    private let due = Mutex<Timestamp?>(nil)

    /// Notes when; tells whether that is new.
    func owe(at time: Timestamp) -> Bool {
        due.withLock { due in
            defer { due = time }
            return due != time
        }
    }

    /// Whether it is time; then they are not owed any more.
    func take(at time: Timestamp) -> Bool {
        due.withLock { found in
            guard let end = found, end <= time else { return false }
            found = nil
            return true
        }
    }
}

extension AccountStore.KnownPhone? {
    /// Whether the accounts say the same of a phone.
    fileprivate func isOf(_ phone: AccountStore.Phone) -> Bool {
        guard let self else { return false }
        return "\(self.person)" == phone.person && self.organisation.text == phone.org
            && [Role.caller, .reporter].map(\.rawValue).contains(phone.role)
    }
}
