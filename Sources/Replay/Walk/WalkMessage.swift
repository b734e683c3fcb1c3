// SPDX-License-Identifier: Apache-2.0
/// What the walking process says, message by message, over a pipe.
///
/// Sixteen bytes stand before each: what it is, how long, and a number. The reader believes none of it: lengths are
/// bounded, positions must follow each other, and the last message must come.
enum WalkMessage: UInt8 {
    /// The first one. Number: the protocol's version.
    case hello = 0x48  // H
    /// Number: how many entries the log has now.
    case size = 0x4E  // N
    /// A fact about the ledger: its name, a zero byte, its value.
    case fact = 0x46  // F
    /// A table that this program does not know: its name.
    case table = 0x42  // B
    /// A signed checkpoint. Number: the size it is stored under.
    case checkpoint = 0x43  // C
    /// An entry. Number: the position it is stored under.
    case entry = 0x45  // E
    /// An entry longer than any may be. Number: its position.
    case oversized = 0x4F  // O
    /// A tile of the index. Number: level and number as they are stored.
    case tile = 0x54  // T
    /// Count and sum of a table of the index, sixteen bytes. Number: the table.
    case sum = 0x55  // U
    /// The index was written to meanwhile and nothing about it can be said.
    case unsteady = 0x51  // Q
    /// What failed, in words.
    case failure = 0x58  // X
    /// The last one.
    case end = 0x5A  // Z

    static let headBytes = 16
    static let version: UInt64 = 1

    /// How long a message of this kind may be.
    var bytesMax: Int {
        switch self {
        case .entry: 65_535
        case .tile: 8_192
        case .sum: 16
        case .fact, .table, .checkpoint, .failure: ReplayLimits.walkMessageBytesMax
        case .hello, .size, .oversized, .unsteady, .end: 0
        }
    }
}
