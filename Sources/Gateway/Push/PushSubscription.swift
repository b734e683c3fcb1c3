// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB

/// Where and for whom pushes to one device are encrypted.
struct PushSubscription: Sendable, Hashable {
    let id: PushSubscriptionID
    let device: DeviceID
    let endpoint: String
    let receiver: PushReceiver
}

/// Subscriptions are secrets of people: they lie in `accounts.db`, one for a device, never in the ledger.
extension AccountStore {
    /// Keeps a subscription instead of the device's older one; returns once it is on disk.
    func keep(_ subscription: PushSubscription) async throws {
        let time = now().milliseconds
        try await durably { database in
            try database.execute(
                sql:
                    "INSERT OR REPLACE INTO main.push_subscriptions VALUES (?, ?, ?, ?, ?, ?, NULL)",
                arguments: [
                    subscription.device.description, subscription.id.description,
                    subscription.endpoint, subscription.receiver.publicKey,
                    subscription.receiver.secret, time,
                ]
            )
        }
    }

    /// The subscription of a device that may still act.
    func pushSubscription(of device: DeviceID) async throws -> PushSubscription? {
        try await read { database in
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT push_subscriptions.* FROM push_subscriptions
                    JOIN devices ON devices.id = push_subscriptions.device
                    WHERE push_subscriptions.device = ? AND devices.revoked IS NULL
                    """,
                arguments: [device.description]
            )
            guard let row, let id = PushSubscriptionID(row["id"] as String) else { return nil }
            return PushSubscription(
                id: id,
                device: device,
                endpoint: row["endpoint"],
                receiver: PushReceiver(publicKey: row["p256dh"], secret: row["auth"])
            )
        }
    }

    /// Forgets the subscription of a device.
    ///
    /// - Parameters:
    ///   - device: Whose.
    ///   - id: Only this one, so that a newer one stays; `nil` for any.
    /// - Throws: When the accounts cannot be written.
    func dropPushSubscription(of device: DeviceID, ifStill id: PushSubscriptionID? = nil)
        async throws
    {
        _ = try await durably { database in
            try AccountRows(.pushes, "device", in: [device.description]).delete(
                where: "id = coalesce(:id, id)",
                ["id": id?.description],
                in: database
            )
        }
    }
}
