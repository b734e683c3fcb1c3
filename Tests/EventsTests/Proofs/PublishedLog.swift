// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// A log published as a folder: checkpoint, tiles and entry bundles under the paths of the standard.
struct PublishedLog {
    static let origin = "ledger.example/main"

    let folder: URL
    let entries: [[UInt8]]
    let leaves: [MerkleHash]
    private(set) var paths: [String] = ["checkpoint"]
    private let signer: NoteSigner

    /// Publishes the tiles of `size` entries under a checkpoint of perhaps fewer.
    init(size: Int, checkpointAt signed: Int? = nil) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        entries = (0..<size).map { [UInt8]("entry \($0)".utf8) }
        leaves = entries.map { .leaf($0) }
        signer = try NoteSigner(name: Self.origin)
        _ = try write(try checkpoint(at: signed ?? size), to: "checkpoint")
        let tiles = StoredTiles(leaves: leaves)
        for tile in Tile.all(ofSize: UInt64(size)) {
            try publish(try tiles.read(tile), as: tile.path)
        }
        for bundle in EntryBundle.all(ofSize: UInt64(size)) {
            try publish(try bytes(of: bundle), as: bundle.path)
        }
        // Below an older checkpoint, higher tiles that are full now must be there as they were.
        for tile in Tile.rightEdge(ofSize: UInt64(signed ?? size)) where tile.level > 0 {
            try publish(Array(try tiles.read(tile).prefix(tile.byteCount)), as: tile.path)
        }
    }

    private mutating func publish(_ bytes: [UInt8], as path: String) throws {
        _ = try write(bytes, to: path)
        if !paths.contains(path) { paths.append(path) }
    }

    private func bytes(of bundle: EntryBundle) throws -> [UInt8] {
        var bytes: [UInt8] = []
        for position in bundle.positions {
            try entries[Int(position)].withUnsafeBytes { try EntryBundle.append($0, to: &bytes) }
        }
        return bytes
    }

    func checkpoint(at size: Int, root: MerkleHash? = nil) throws -> [UInt8] {
        let root = root ?? MerkleVectors.root(of: leaves.prefix(size))
        let checkpoint = try Checkpoint(origin: Self.origin, size: UInt64(size), root: root)
        return try checkpoint.sign(with: signer).bytes
    }

    func file(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appending(path: path)))
    }

    func write(_ bytes: [UInt8], to path: String) throws -> String {
        let url = folder.appending(path: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(bytes).write(to: url)
        return url.path(percentEncoded: false)
    }

    func remove() {
        do {
            try FileManager.default.removeItem(at: folder)
        } catch {
            print("temporary folder \(folder.path(percentEncoded: false)) stays: \(error)")
        }
    }

    struct Reading: Equatable {
        let status: Int32
        let output: String
    }

    /// Runs the reader on the folder, or on a server in front of it.
    func read(
        options: [String] = [],
        vkey: String? = nil,
        base: String? = nil
    ) throws -> Reading {
        let script = URL(filePath: #filePath)
            .appending(path: "../../../Tools/tlog_read.py").standardizedFileURL
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["python3", script.path(percentEncoded: false), "--vkey", vkey ?? signer.verifier.vkey]
            + options + [base ?? folder.path(percentEncoded: false)]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Reading(
            status: process.terminationStatus,
            output: String(decoding: data, as: UTF8.self)
        )
    }
}
