// SPDX-License-Identifier: Apache-2.0
/// The limits of projecting, each with its unit.
public enum ProjectionLimits {
    /// Entries read and decoded at a time.
    public static let pageEntriesMax = 1_024
    /// Entries that one transaction of a bulk build holds.
    public static let bulkTransactionEntries = 131_072
    /// Entries that a bulk build reads and decodes at a time, one page ahead of the one being applied.
    public static let bulkPageEntries = 4_096
    /// Entries of no kind of its own that a read model passes before its file says so: as many a start may read again.
    public static let entriesUnwrittenMax = 4_096
    /// Connections for queries on each read model.
    public static let readersMax = 4
    /// The page cache of a bulk build, in KiB.
    public static let bulkCacheKibibytes = 65_536
    /// How large the write-ahead log of a model stays once it has been copied, in bytes.
    static let journalBytes = 4 << 20
    /// Proposals shown of one session: of the newest askers, whether in time or past it.
    static let proposalsOfSessionMax = 8
    /// Rows of one page of any list.
    public static let listRowsMax = 1_000
    /// How long a query waits for a position unless it, or the runner, says otherwise.
    public static let waitDefault = Duration.seconds(5)
    /// The pause before a model that could not take a batch tries again; it doubles each time.
    public static let retryPause = Duration.seconds(1)
    /// How long that pause grows.
    public static let retryPauseMax = Duration.seconds(60)
    /// How long a build waits for another process that holds its file's lock, in ms.
    static let busyMilliseconds = 5_000
    /// The same for a file that serves, in ms: the other models wait with it, so it soon leaves them and tries alone.
    static let servingBusyMilliseconds = 500
    /// How long taking what was erased out of the write-ahead log waits for readers, in ms.
    static let erasingBusyMilliseconds = 100
    /// The pause between attempts to take what was erased out of unused space.
    static let erasingPause = Duration.seconds(10)
    /// The longest life of an alert that is believed: ten years.
    public static let alertLifeSecondsMax = 315_360_000
    /// Entries that an as-of view reads at most; for more it is refused.
    public static let asOfEntriesMax = 1_000_000
    /// Entries that a list as of a point reads at most, over all its sessions; for more it is refused.
    public static let asOfListEntriesMax = 200_000
    /// Sessions on one page of a list as of a point, and read at a time.
    public static let asOfListSessionsMax = 200
    /// Sessions that are read to fill such a page; where these do not, it is refused.
    public static let asOfListSessionsReadMax = 2_000
}
