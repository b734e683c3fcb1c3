// SPDX-License-Identifier: Apache-2.0

/// The limits of everything under Proofs, each with its unit.
public enum ProofLimits {
    /// The longest entry, in bytes: an entry bundle writes lengths as 16 bits.
    public static let entryBytesMax = 65_535
    /// The width of a full tile, in hashes (C2SP tlog-tiles).
    public static let tileWidth = 256
    /// The highest tile level that a path may name (C2SP tlog-tiles).
    public static let tileLevelMax = 63
    /// The highest tile index: its last leaf still has a 64-bit position.
    public static let tileIndexMax = UInt64.max >> 8
    /// The longest signed note that is parsed, in bytes.
    public static let noteBytesMax = 1_048_576
    /// The most signature lines in a note that is parsed; the format asks for at least 16.
    public static let noteSignaturesMax = 100
    /// The longest key name or origin, in bytes of UTF-8.
    public static let nameBytesMax = 1_024
}
