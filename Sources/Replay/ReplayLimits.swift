// SPDX-License-Identifier: Apache-2.0
/// The limits of the auditor, each with its unit.
public enum ReplayLimits {
    /// How long the walking process may say nothing before it counts as hanging.
    public static let walkSilenceMax: Duration = .seconds(20)
    /// How often a walk goes on with a new process after a writer overtook it.
    public static let walkRestartsMax = 20
    /// The longest message of the walking process that is no entry, in bytes.
    public static let walkMessageBytesMax = 1 << 20
    /// The longest line of an exported file, in bytes.
    public static let lineBytesMax = 65_535
    /// Findings that a report spells out; more are counted.
    public static let findingsMax = 200
    /// Findings of one kind of check that are spelt out.
    public static let findingsPerCheckMax = 50
    /// How long events may arrive before somebody who looks back misses a checkpoint: one is promised a minute, and clocks,
    /// disks and turns take their time.
    public static let checkpointGapMax: Duration = .seconds(180)
    /// How often, and how far apart, is looked for what an erasure was to remove before it counts as kept.
    static let erasureLooksMax = 6
    static let erasureLooksEvery: Duration = .milliseconds(500)
    /// Entries that are checked as one piece of work: a whole number of level-0 tiles.
    public static let entriesPerBatch = 1_024
    /// Pieces of work that may wait for a checking thread, or be checked and wait for those before them.
    public static let batchesWaitingMax = 8
    /// Level-0 tiles in a row that an index may lack before its leaf hashes are no longer compared one by one.
    static let tilesMissingMax = 65_536
    /// The longest time into a recording that somebody may ask a picture of, in seconds: a year.
    static let recordingSecondsMax = 366.0 * 86_400
    /// How long a picture stands for what was to be seen behind it, in milliseconds: who films one a second is still filming.
    static let pictureStandsMilliseconds: Int64 = 1_000
    /// Bytes that are read from the walking process or a file at once.
    public static let readBytes = 1 << 20
}
