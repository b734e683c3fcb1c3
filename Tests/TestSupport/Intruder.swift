// SPDX-License-Identifier: Apache-2.0
internal import GRDB

/// Somebody who can write the folder of a ledger, and has no key.
public enum Intruder {
    /// Changes a file of accounts, also beside the gateway that serves it.
    public static func change(accounts path: String, _ statements: [String]) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        // The triggers ask for it; who has no key makes no codes.
        configuration.prepareDatabase { database in
            database.add(function: DatabaseFunction("row_code") { _ in nil })
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.write { database in
            for statement in statements { try database.execute(sql: statement) }
        }
        try queue.close()
    }
}
