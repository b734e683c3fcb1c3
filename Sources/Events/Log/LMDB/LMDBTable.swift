// SPDX-License-Identifier: Apache-2.0
internal import CLMDB

/// A named table of an environment.
struct LMDBTable: Sendable {
    let number: MDB_dbi

    /// How a table orders its keys and values.
    struct Flags: OptionSet {
        let rawValue: UInt32
        static let create = Flags(rawValue: UInt32(MDB_CREATE))
        /// Keys are native unsigned integers.
        static let integerKey = Flags(rawValue: UInt32(MDB_INTEGERKEY))
        /// Many values of one fixed size under a key, ordered bytewise.
        static let fixedDuplicates = Flags(rawValue: UInt32(MDB_DUPSORT | MDB_DUPFIXED))
        /// Those values are native unsigned integers.
        static let integerDuplicates = Flags(
            rawValue: UInt32(MDB_DUPSORT | MDB_DUPFIXED | MDB_INTEGERDUP)
        )
    }

    /// What a put may assume or must refuse.
    enum PutMode {
        case replace
        /// The key stands behind all others.
        case append
        /// The value stands behind all others of its key.
        case appendDuplicate

        var rawValue: UInt32 {
            switch self {
            case .replace: 0
            case .append: UInt32(MDB_APPEND)
            case .appendDuplicate: UInt32(MDB_APPENDDUP)
            }
        }
    }
}
