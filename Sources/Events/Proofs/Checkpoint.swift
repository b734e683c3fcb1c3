// SPDX-License-Identifier: Apache-2.0

/// The head of a log at a size: what a log signs and what everyone compares (C2SP tlog-checkpoint).
public struct Checkpoint: Sendable {
    /// Which log it is of.
    public let origin: String
    /// The number of entries.
    public let size: UInt64
    /// The root of the tree over them.
    public let root: MerkleHash
    /// Further lines; ours has one if its key began in a log that had entries, see ``begun``.
    public let extensionLines: [String]

    /// A checkpoint of a log.
    ///
    /// - Parameters:
    ///   - origin: The log's name, not empty, without control characters.
    ///   - size: The number of entries.
    ///   - root: The root of the tree over them; for size 0 that of the empty tree.
    /// - Throws: ``CheckpointError/origin(_:)`` or ``CheckpointError/emptyTreeRoot(_:)``.
    public init(origin: String, size: UInt64, root: MerkleHash) throws(CheckpointError) {
        try self.init(origin: origin, size: size, root: root, extensionLines: [])
    }

    /// A checkpoint of a key that began in a log of so many entries.
    ///
    /// - Parameters:
    ///   - origin: The log's name.
    ///   - size: The number of entries.
    ///   - root: The root of the tree over them.
    ///   - begun: How many entries its key found; 0 for a key as old as the log.
    /// - Throws: As ``init(origin:size:root:)``.
    public init(
        origin: String,
        size: UInt64,
        root: MerkleHash,
        begun: UInt64
    ) throws(CheckpointError) {
        try self.init(
            origin: origin,
            size: size,
            root: root,
            extensionLines: begun == 0 ? [] : ["\(Self.beginning)\(begun)"]
        )
    }

    private static let beginning = "daybook new origin at "

    /// How many entries the key that signed found in the log; 0 if it is as old as the log.
    public var begun: UInt64 {
        extensionLines.lazy.compactMap { line in
            line.hasPrefix(Self.beginning) ? UInt64(line.dropFirst(Self.beginning.count)) : nil
        }.first ?? 0
    }

    private init(
        origin: String,
        size: UInt64,
        root: MerkleHash,
        extensionLines: [String]
    ) throws(CheckpointError) {
        guard 1...ProofLimits.nameBytesMax ~= origin.utf8.count,
            origin.utf8.allSatisfy({ $0 >= 0x20 })
        else { throw .origin(origin) }
        guard size > 0 || root == .emptyTree else { throw .emptyTreeRoot(root) }
        self.origin = origin
        self.size = size
        self.root = root
        self.extensionLines = extensionLines
    }

    /// Signs the checkpoint.
    ///
    /// A log must never sign two that are inconsistent, so its writer signs
    /// only what is on disk, and stores what it signed before anyone sees it.
    ///
    /// - Parameter signer: The log's key; its name should be the origin.
    /// - Returns: The signed note to store and serve.
    /// - Throws: ``SignedNoteError/signing``.
    public func sign(with signer: NoteSigner) throws(SignedNoteError) -> SignedNote {
        try SignedNote(text: text, signedBy: [signer])
    }

    /// Reads a checkpoint out of a note after checking its signatures.
    ///
    /// - Parameters:
    ///   - note: The note.
    ///   - verifiers: The keys of the log, and of witnesses if any; at least one must have signed.
    ///   - origin: The log that is expected, or `nil` for any.
    /// - Throws: ``SignedNoteError`` or ``CheckpointError``.
    public init(
        verifying note: SignedNote,
        with verifiers: [NoteVerifier],
        origin: String? = nil
    ) throws {
        try note.verify(with: verifiers)
        try self.init(text: note.text)
        if let origin, !origin.utf8.elementsEqual(self.origin.utf8) {
            throw CheckpointError.otherLog(origin: self.origin, expected: origin)
        }
    }
}

extension Checkpoint {
    /// The text that is signed: origin, size and root, a line each.
    public var text: String {
        let lines = [origin, String(size), root.base64] + extensionLines
        return lines.map { "\($0)\n" }.joined()
    }

    /// Reads the text of a note, whose signatures the caller has checked.
    ///
    /// - Parameter text: The text, ending in a newline.
    /// - Throws: ``CheckpointError``.
    public init(text: String) throws(CheckpointError) {
        let newline = UInt8(ascii: "\n")
        let bytes = [UInt8](text.utf8)
        guard bytes.last == newline else { throw .malformed }
        let lines = bytes.dropLast()
            .split(separator: newline, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard lines.count >= 3, lines.allSatisfy({ !$0.isEmpty }),
            let size = UInt64(lines[1]), String(size).utf8.elementsEqual(lines[1].utf8),
            let root = MerkleHash(base64: lines[2])
        else { throw .malformed }
        try self.init(
            origin: lines[0],
            size: size,
            root: root,
            extensionLines: Array(lines.dropFirst(3))
        )
    }
}

extension Checkpoint: Hashable {
    // By bytes: Swift strings would take some different origins for equal.
    public static func == (left: Checkpoint, right: Checkpoint) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(size)
        hasher.combine(root)
    }
}
