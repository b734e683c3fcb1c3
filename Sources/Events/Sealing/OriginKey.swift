// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// What a ledger signs with and what it signed last: `DIR/origin.key`, wrapped under the master key.
///
/// Who can write the folder and has no master key can neither read one nor make one. They can put an older one back; what
/// was signed since then is what an auditor's own checkpoint is for.
public struct OriginKey: Sendable {
    /// Signs checkpoints in the ledger's name.
    public let signer: NoteSigner
    /// The largest tree that was signed; `nil` in a file from before it was kept.
    public var signed: SignedHead?
    /// How many entries the log had when this key began: it vouches that they stood there, not how they came.
    public let begun: UInt64
    /// Whether every commit behind ``signed`` has a seal; `false` in a file from before there were any.
    public var isSealed: Bool
    /// Whether the ledger was made as a demo, in which a visitor signs in without a password.
    ///
    /// It stands here and not in `daybook.json`: who can write the folder without the master key could otherwise sign in as anybody.
    public let isDemo: Bool

    /// The name of the file in the ledger's folder.
    public static let fileName = "origin.key"
    private static let purpose = "daybook origin key"

    public init(
        signer: NoteSigner,
        signed: SignedHead?,
        begun: UInt64 = 0,
        isSealed: Bool = false,
        isDemo: Bool = false
    ) {
        self.signer = signer
        self.signed = signed
        self.begun = begun
        self.isSealed = isSealed
        self.isDemo = isDemo
    }

    /// Opens the file of a ledger's folder; `nil` if it has none.
    ///
    /// - Throws: ``SealingError/wrongMasterKey(_:)`` if this master key did not wrap it, or what reading a file throws.
    public static func read(from folder: URL, masterKey: MasterKey) throws -> OriginKey? {
        let file = folder.appending(path: fileName)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        let wrapped = [UInt8](try Data(contentsOf: file))
        guard let plain = masterKey.unwrap(wrapped, for: purpose) else {
            throw SealingError.wrongMasterKey(file)
        }
        // The first form held the signer key alone.
        guard plain.first == UInt8(ascii: "{") else {
            return OriginKey(
                signer: try NoteSigner(skey: String(decoding: plain, as: UTF8.self)),
                signed: nil
            )
        }
        let content = try JSONDecoder().decode(Content.self, from: Data(plain))
        return OriginKey(
            signer: try NoteSigner(skey: content.skey),
            signed: content.signed,
            begun: content.begun,
            isSealed: content.isSealed ?? false,
            isDemo: content.isDemo ?? false
        )
    }

    /// Replaces the file of a ledger's folder; returns once it is on disk.
    public func write(to folder: URL, masterKey: MasterKey) throws {
        let content = Content(
            skey: signer.skey,
            signed: signed,
            begun: begun,
            isSealed: isSealed,
            isDemo: isDemo ? true : nil
        )
        let file = folder.appending(path: Self.fileName)
        let plain = [UInt8](try JSONEncoder().encode(content))
        guard let wrapped = masterKey.wrap(plain, for: Self.purpose) else {
            throw SealingError.system(call: "wrap", file, errno: EIO)
        }
        try writeDurably(Data(wrapped), to: file, permissions: 0o600)
    }

    private struct Content: Codable {
        let skey: String
        let signed: SignedHead?
        let begun: UInt64
        /// Not there in a file from before.
        let isSealed: Bool?
        /// Only there in a demo's file.
        let isDemo: Bool?
    }
}

/// A tree that was signed: what a log must still be, however much it has grown.
public struct SignedHead: Hashable, Sendable, Codable {
    /// The number of entries.
    public let size: UInt64
    /// The root of the tree over them.
    public let root: MerkleHash
    /// When it was signed.
    public let time: Timestamp

    /// Nothing signed yet.
    public static func nothing(at time: Timestamp) -> SignedHead {
        SignedHead(size: 0, root: .emptyTree, time: time)
    }

    public init(size: UInt64, root: MerkleHash, time: Timestamp) {
        self.size = size
        self.root = root
        self.time = time
    }

    private enum CodingKeys: String, CodingKey {
        case size, root, microseconds
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let text = try values.decode(String.self, forKey: .root)
        guard let root = MerkleHash(base64: text) else {
            throw DecodingError.dataCorruptedError(
                forKey: .root,
                in: values,
                debugDescription: "it is no hash"
            )
        }
        self.root = root
        size = try values.decode(UInt64.self, forKey: .size)
        time = Timestamp(
            microseconds: try values.decode(Int64.self, forKey: .microseconds)
        )
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(size, forKey: .size)
        try values.encode(root.base64, forKey: .root)
        try values.encode(time.microseconds, forKey: .microseconds)
    }
}
