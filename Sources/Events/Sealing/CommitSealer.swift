// SPDX-License-Identifier: Apache-2.0

/// Vouches for what was committed and is not signed yet, under a key that whoever can write the folder does not have.
///
/// Each commit carries the seal over everything up to its end, in the same transaction. A seal covers the root of the
/// tree, so it says of each entry before it that it stood there, and fits no other ledger and no other signing key.
public struct CommitSealer: Sendable {
    private let key: DerivedKey
    private let ledger: String
    /// What the rows of the index are hashed under.
    let rowKey: RowDigest.Key

    /// Takes the key that the master key gives for the purpose.
    ///
    /// - Parameters:
    ///   - masterKey: The ledger's.
    ///   - verifier: What the ledger's checkpoints are verified with.
    public init(masterKey: MasterKey, verifier: NoteVerifier) {
        key = DerivedKey(of: masterKey, for: "daybook commit seal")
        ledger = verifier.vkey
        let rows = DerivedKey(of: masterKey, for: "daybook index rows")
        rowKey = rows.code(of: Array(verifier.vkey.utf8)).withUnsafeBytes { bytes in
            RowDigest.Key(
                first: bytes.loadUnaligned(as: UInt64.self),
                second: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            )
        }
    }

    /// The seal over a tree.
    ///
    /// - Complexity: O(log size) node hashes.
    func seal(_ tree: MerkleFrontier) -> CommitSeal {
        seal(size: tree.size, root: tree.root)
    }

    /// Whether a seal is this ledger's and covers a tree of this root.
    public func made(_ seal: CommitSeal, over root: MerkleHash) -> Bool {
        seal == self.seal(size: seal.size, root: root)
    }

    /// The seal over an index: its rows, how far it has come, and the links that it was made with.
    func seal(_ rows: RowDigest, _ progress: IndexProgress?, links: String?) -> String {
        let reached = progress.map {
            "\($0.format) \($0.size) \($0.leafHash?.base64 ?? "-")"
        }
        return code(
            of: "daybook index seal/1\n\(ledger)\n\(reached ?? "-")\n"
                + "\(rows.count) \(rows.low) \(rows.high)\n\(links ?? "-")"
        )
    }

    /// The seal over what is left for the next process's clock.
    func seal(_ mark: ClockMark) -> String {
        let (seconds, attoseconds) = mark.monotonic.components
        let held = mark.heldSince.map { "\($0.microseconds)" } ?? "-"
        return code(
            of:
                "daybook clock mark/1\n\(ledger)\n\(mark.wall.microseconds) \(mark.time.microseconds) \(held)\n"
                + "\(seconds) \(attoseconds)\n\(mark.boot ?? "-")"
        )
    }

    private func code(of message: String) -> String {
        Base64URL.text(key.code(of: Array(message.utf8)))
    }

    private func seal(size: UInt64, root: MerkleHash) -> CommitSeal {
        let message = "daybook commit seal/1\n\(ledger)\n\(size)\n\(root.base64)\n"
        return CommitSeal(size: size, code: code(of: message))
    }
}

/// What a commit says of everything up to its end.
public struct CommitSeal: Hashable, Sendable {
    /// The name under which the log keeps the newest one among its facts.
    public static let factName = "seal"
    /// How many entries it covers.
    public let size: UInt64
    let code: String

    init(size: UInt64, code: String) {
        self.size = size
        self.code = code
    }

    /// Reads the form that the log keeps; `nil` for anything else, and for more entries than a log can have.
    public init?(text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, let size = UInt64(parts[0]), size < UInt64(Int.max) else {
            return nil
        }
        self.init(size: size, code: String(parts[1]))
    }

    /// The form that the log keeps: size and code.
    var text: String { "\(size) \(code)" }
}
