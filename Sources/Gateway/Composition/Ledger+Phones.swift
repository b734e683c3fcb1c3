// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Logging

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

    /// Brings the phones to what the ledger says of them, at a start: no registration is between the accounts and its event.
    ///
    /// One that is not as its event says acts no more; and of one that cannot act any more the ledger is told, so that nobody
    /// takes it for good.
    func followPhones(_ registered: [String: AccountStore.KnownPhone]) async throws {
        let phones = try await accounts.phones()
        let strange = phones.filter { !$0.isRevoked && !registered[$0.id].isOf($0) }.map(\.id)
        if !strange.isEmpty { try await endUnregistered(strange) }
        let good = Set(phones.filter { !$0.isRevoked }.map(\.id)).subtracting(strange)
        for lost in registered.values.sorted(by: { $0.position < $1.position })
        where lost.position >= begun && !good.contains("\(lost.device)") {
            guard try !handler.current(Device.self, lost.device).isRevoked,
                try !handler.current(Person.self, lost.person).isErased
            else { continue }
            let command = RevokeDevice(lost.device, reason: "the accounts do not have it any more")
            let context = context(actor: .ledger, organisation: lost.organisation)
            _ = try await handler.handle(command, context)
            logger.warning(
                "a phone is not among the accounts any more; the ledger was told that it ended",
                metadata: ["category": "security", "device": "\(lost.device)"]
            )
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
