// SPDX-License-Identifier: Apache-2.0

/// The limits of one event, each with its unit.
public enum EventLimits {
    /// The longest entry, as tlog-tiles allows (C2SP).
    public static let entryBytesMax = 65_535
    /// What the writer may add behind `data`: position, revision, source, subject, time and type.
    public static let tailBytesMax = 512
    /// The longest subject, actor or kind.
    public static let nameBytesMax = 160
    /// The longest origin (`source`) of a ledger.
    public static let originBytesMax = 64
    /// The most events of one append.
    public static let eventsPerAppendMax = 256
    /// The most conditions and subjects of one append.
    public static let subjectsPerAppendMax = 256
}

extension EventLimits {
    /// How deep objects and arrays of one JSON value may stand inside each other.
    public static let jsonDepthMax = 64
    /// The largest whole number that every JSON reader keeps exactly: 2⁵³ − 1 (RFC 7493).
    public static let jsonIntegerMax: Int64 = 9_007_199_254_740_991
}
