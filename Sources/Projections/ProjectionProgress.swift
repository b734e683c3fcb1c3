// SPDX-License-Identifier: Apache-2.0
public import Events

/// How far a projector has come, committed together with the rows; see ``ProjectionFile`` for what may be passed before.
public struct ProjectionProgress: Hashable, Sendable {
    /// The first position that is not yet in the rows: the number of events behind them.
    public let next: LogPosition
    /// The leaf hash of the last entry in the rows, 64 digits; `nil` before the first.
    public let leaf: SHA256Digest?
    /// The ledger's origin.
    public let origin: String

    public init(next: LogPosition, leaf: SHA256Digest?, origin: String) {
        self.next = next
        self.leaf = leaf
        self.origin = origin
    }

    static let creation = """
        CREATE TABLE progress (projector TEXT NOT NULL PRIMARY KEY, next INTEGER NOT NULL, leaf TEXT,
        origin TEXT NOT NULL, built INTEGER NOT NULL) WITHOUT ROWID
        """

    static func read(from transaction: ReadTransaction) throws -> ProjectionProgress? {
        try transaction.first("SELECT next, leaf, origin FROM progress") { row in
            ProjectionProgress(
                next: try row.position(),
                leaf: try row.optional(),
                origin: try row.text()
            )
        }
    }
}
