// SPDX-License-Identifier: Apache-2.0
package import GRDB

/// The tables of `accounts.db`, oldest first; a step, once released, never changes.
///
/// They stand here, below the gateway that writes them, for `verify` holds a file against them, too.
package enum AccountSchema {
    package static var migrator: DatabaseMigrator { migrator(adopting: false) }

    /// The steps, with or without believing what is there.
    ///
    /// - Parameter isAdopting: Whether the rows of a file of before they carried codes are believed, and get one with the step.
    /// - Returns: The steps, oldest first.
    package static func migrator(adopting isAdopting: Bool) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("accounts") { database in
            try database.execute(sql: accounts)
        }
        migrator.registerMigration("device code givers") { database in
            try database.execute(sql: deviceCodeGivers)
        }
        migrator.registerMigration("links") { database in
            try database.execute(sql: links)
        }
        migrator.registerMigration("push subscriptions") { database in
            try database.execute(sql: pushSubscriptions)
        }
        migrator.registerMigration("places") { database in
            try database.execute(sql: places)
        }
        migrator.registerMigration("history of devices") { database in
            try database.execute(sql: deviceHistory)
        }
        migrator.registerMigration("keyed fingerprints") { database in
            try database.execute(sql: keyedFingerprints)
        }
        migrator.registerMigration("followed") { database in
            try database.execute(sql: followed)
        }
        migrator.registerMigration("who admitted a device") { database in
            try database.execute(sql: admissions)
        }
        migrator.registerMigration("codes of rows") { database in
            try database.execute(sql: rowCodes)
            if isAdopting { try database.execute(sql: adoption) }
        }
        return migrator
    }

    /// Which phone agreed to another, and through which one a phone sees an earlier session: with that phone its word ends.
    private static let admissions = """
        ALTER TABLE devices ADD COLUMN admitted_by TEXT;
        CREATE INDEX devices_by_admitter ON devices (admitted_by) WHERE admitted_by IS NOT NULL;
        ALTER TABLE device_sessions ADD COLUMN through TEXT;
        CREATE INDEX device_sessions_by_session ON device_sessions (session);
        """

    /// How far the accounts had followed the ledger; it goes with ``rowCodes``.
    package static let followed = """
        CREATE TABLE followed (
            one INTEGER PRIMARY KEY CHECK (one = 1), next INTEGER NOT NULL, code BLOB NOT NULL
        ) STRICT;
        """

    /// Phones that are registered by now keep what they see; new ones see what begins after them.
    private static let deviceHistory = """
        ALTER TABLE devices ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE device_sessions (
            device TEXT NOT NULL REFERENCES devices ON DELETE CASCADE, session TEXT NOT NULL,
            PRIMARY KEY (device, session)
        ) STRICT, WITHOUT ROWID;
        ALTER TABLE device_codes ADD COLUMN session TEXT;
        ALTER TABLE device_codes ADD COLUMN giver TEXT;
        DROP TABLE device_code_givers;
        """

    /// Those from before could be tried out by whoever reads the file.
    private static let keyedFingerprints = """
        DELETE FROM fingerprints;
        CREATE INDEX fingerprints_by_actor ON fingerprints (actor, created);
        """

    private static let places = """
        CREATE TABLE places (
            user TEXT NOT NULL REFERENCES users, digest BLOB NOT NULL, used INTEGER NOT NULL,
            PRIMARY KEY (user, digest)
        ) STRICT, WITHOUT ROWID;
        """

    private static let deviceCodeGivers = """
        CREATE TABLE device_code_givers (
            phone TEXT PRIMARY KEY, giver TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    private static let pushSubscriptions = """
        CREATE TABLE push_subscriptions (
            device TEXT PRIMARY KEY REFERENCES devices ON DELETE CASCADE, id TEXT NOT NULL,
            endpoint TEXT NOT NULL, p256dh BLOB NOT NULL, auth BLOB NOT NULL,
            created INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    private static let links = """
        CREATE TABLE links (
            id TEXT PRIMARY KEY, digest BLOB NOT NULL UNIQUE, hash TEXT NOT NULL,
            session TEXT NOT NULL, person TEXT NOT NULL, phone TEXT NOT NULL, org TEXT NOT NULL,
            expires INTEGER NOT NULL, tries INTEGER NOT NULL DEFAULT 0,
            used INTEGER
        ) STRICT;
        CREATE INDEX links_by_session ON links (session);
        """

    private static let accounts = """
        CREATE TABLE users (
            id TEXT PRIMARY KEY, login TEXT NOT NULL UNIQUE COLLATE NOCASE, org TEXT NOT NULL,
            role TEXT NOT NULL, password TEXT NOT NULL, temporary INTEGER NOT NULL,
            disabled INTEGER NOT NULL DEFAULT 0, created INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE devices (
            id TEXT PRIMARY KEY, person TEXT NOT NULL, phone TEXT NOT NULL, org TEXT NOT NULL,
            role TEXT NOT NULL, created INTEGER NOT NULL, revoked INTEGER
        ) STRICT;
        CREATE INDEX devices_by_person ON devices (person);
        CREATE TABLE tokens (
            id TEXT PRIMARY KEY, hash BLOB NOT NULL UNIQUE,
            user TEXT REFERENCES users, device TEXT REFERENCES devices, scopes TEXT NOT NULL,
            created INTEGER NOT NULL, expires INTEGER NOT NULL, idle INTEGER,
            used INTEGER NOT NULL, revoked INTEGER,
            CHECK ((user IS NULL) <> (device IS NULL))
        ) STRICT;
        CREATE INDEX tokens_by_user ON tokens (user);
        CREATE INDEX tokens_by_device ON tokens (device);
        CREATE TABLE device_codes (
            id TEXT PRIMARY KEY, phone TEXT NOT NULL, person TEXT NOT NULL, org TEXT NOT NULL,
            role TEXT NOT NULL, hash TEXT NOT NULL, expires INTEGER NOT NULL,
            tries INTEGER NOT NULL DEFAULT 0, used INTEGER
        ) STRICT;
        CREATE INDEX device_codes_by_phone ON device_codes (phone);
        CREATE TABLE fingerprints (
            actor TEXT NOT NULL, key TEXT NOT NULL, digest BLOB NOT NULL,
            created INTEGER NOT NULL, PRIMARY KEY (actor, key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX fingerprints_by_age ON fingerprints (created);
        """
}
