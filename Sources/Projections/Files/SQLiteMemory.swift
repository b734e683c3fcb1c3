// SPDX-License-Identifier: Apache-2.0
import CSQLiteSettings

/// What SQLite does with memory, for the whole process.
public enum SQLiteMemory {
    /// Counts none from here on: the count takes a lock of the whole process for each piece, and nobody reads it.
    ///
    /// Where SQLite runs already, it goes on counting.
    public static func countsNothing() {
        _ = daybook_sqlite_counts_no_memory()
    }
}
