// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// What a ledger says about itself in `DIR/daybook.json`: public, and enough to check its checkpoints.
///
/// Whoever must not trust the folder takes the key from elsewhere; see `daybook verify --vkey`.
public struct LedgerDescription: Codable, Hashable, Sendable {
    /// The ledger's name: `source` of every entry, origin of every checkpoint.
    public var origin: String
    /// The public key that signs its checkpoints, as `NoteVerifier.vkey` spells it.
    public var vkey: String

    public init(origin: String, vkey: String) {
        self.origin = origin
        self.vkey = vkey
    }

    /// The name of the file in the ledger's folder.
    public static let fileName = "daybook.json"

    /// Reads the description of the ledger in a folder; `nil` if it has none.
    ///
    /// - Throws: What reading and decoding the file throws.
    public static func read(from folder: URL) throws -> LedgerDescription? {
        let file = folder.appending(path: fileName)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        return try JSONDecoder().decode(LedgerDescription.self, from: Data(contentsOf: file))
    }

    /// Writes the description into a ledger's folder, durably and in one step.
    public func write(to folder: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        var data = try encoder.encode(self)
        data.append(UInt8(ascii: "\n"))
        try writeDurably(data, to: folder.appending(path: Self.fileName))
    }
}
