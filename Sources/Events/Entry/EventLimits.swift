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
    public static let subjectsPerAppendMax = 64
}
