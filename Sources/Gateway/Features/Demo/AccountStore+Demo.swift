// SPDX-License-Identifier: Apache-2.0
import GRDB

extension AccountStore {
    /// The callers' phones that were registered first and are not revoked, in that order.
    func firstCallers(_ limit: Int) async throws -> [DeviceAccount] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT id, person, phone, org, role
                    FROM \(AccountRows.Table.devices.unhidden(where: "revoked IS NULL AND role = 'caller'"))
                    ORDER BY created, id LIMIT ?
                    """,
                arguments: [limit]
            ).map(DeviceAccount.init(row:))
        }
    }
}
