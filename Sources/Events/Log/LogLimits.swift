// SPDX-License-Identifier: Apache-2.0
/// The limits of the log, each with its unit.
public enum LogLimits {
    /// Appends that may wait for the writer; more are refused as busy.
    public static let appendsWaitingMax = 16_384
    /// Events that one commit takes at most.
    public static let eventsPerCommitMax = 4_096
    /// Events that one commit of the index takes at most.
    public static let eventsPerIndexCommit = 16_384
    /// Events that may wait for the index; more make the writer wait.
    public static let eventsUnindexedMax = 131_072
    /// How long an event may wait for the index.
    public static let indexDelayMax: Duration = .seconds(1)
    /// Readers at once, of all processes.
    public static let readersMax = 126
    /// Readers at once in one process; more wait for one to end.
    public static let readersOfProcessMax = 64
    /// How large the map of a log or an index is at first, in bytes of address space.
    public static let mapBytes = 256 << 30
    /// How large a map may become: two of them fit into the address space of a process.
    public static let mapBytesMax = 32 << 40
    /// How many times what is used a map has at least; it is enlarged between transactions.
    public static let mapRatioMin = 4
    /// Tables of a file whose names are looked at; ours have nine at most.
    static let tableNamesMax = 64
    /// Bytes of entries in one page of a read.
    public static let pageBytesMax = 4 << 20
    /// How many entries that cannot be read are noted by their positions.
    static let unreadableNotedMax = 1_000
    /// Entries in one page of a read unless told otherwise.
    public static let pageEntriesDefault = 1_024
    /// A clock that moved by more than this against the monotonic clock has stepped.
    public static let clockStepMin: Duration = .seconds(1)
    /// A wall clock that is further ahead than this is not followed until confirmed.
    public static let clockStepFollowedMax: Duration = .seconds(3_600)
    /// A wall clock that is further behind the ledger's time is somebody's to look at.
    public static let clockBehindMax: Duration = .seconds(60)
    /// Behind a wall clock that went back, one second in so many is made up.
    public static let clockMakesUp = 100
    /// Steps that wait to be recorded; what comes on top is added up.
    static let clockStepsUnrecordedMax = 16
    /// Jumps of the ledger's time that are remembered.
    static let clockJumpsMax = 16
    /// How often the clocks' standing is written down for the next process.
    static let clockMarkInterval: Duration = .seconds(60)
    /// Below this much room, on the disk or in the map, only signing in and out, claims, changes of accounts, closings, holds and
    /// erasures are taken.
    public static let freeBytesMin = 1 << 30
    /// Where an opening fails with less free than this, it is for want of room.
    static let bytesToOpenMin: Int64 = 1 << 20
    /// Below this part of ``freeBytesMin`` only closings, holds and erasures are taken.
    static let lastShare = 4
    /// How often a reader without a lock tries again when a writer overtook it.
    public static let lockFreeAttemptsMax = 100
    /// Pages at the end of a file that a commit may have taken and not needed, so that they were never written.
    public static let unwrittenPagesMax: UInt64 = 4
}
