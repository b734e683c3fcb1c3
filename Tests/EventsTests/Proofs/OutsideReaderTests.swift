// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Foundation
import TestSupport
import Testing

/// What we publish, read by a program that shares no code with us.
@Suite(.tags(.promise5)) struct `Reader written from the standard` {
    @Test(arguments: [0, 1, 2, 255, 256, 257, 600, 66_000])
    func `finds the same root`(size: Int) throws {
        let log = try PublishedLog(size: size)
        defer { log.remove() }
        let root = MerkleVectors.root(of: log.leaves[...])
        for options in [[], ["--hashes-only"], ["--origin", PublishedLog.origin]] {
            let result = try log.read(options: options)
            #expect(result == .init(status: 0, output: "\(size) \(root.hex) ok\n"))
        }
    }

    @Test func `reads tiles that have grown since the checkpoint`() throws {
        let log = try PublishedLog(size: 256, checkpointAt: 100)
        defer { log.remove() }
        #expect(try log.read().status == 0)
    }

    @Test func `holds an older checkpoint against the log`() throws {
        let log = try PublishedLog(size: 600)
        defer { log.remove() }
        for size in [0, 1, 300, 600] {
            let older = try log.write(log.checkpoint(at: size), to: "older")
            #expect(try log.read(options: ["--older", older]).status == 0)
        }
        let forged = try log.checkpoint(at: 300, root: .leaf([1]))
        let older = try log.write(forged, to: "older")
        #expect(try log.read(options: ["--older", older]).status == 1)
    }

    @Test func `finds the position of an entry`() throws {
        let log = try PublishedLog(size: 600)
        defer { log.remove() }
        let entry = try log.write(log.entries[413] + [UInt8(ascii: "\n")], to: "entry")
        #expect(try log.read(options: ["--entry", entry]).output.hasPrefix("entry at 413\n"))
        let other = try log.write([1, 2, 3], to: "entry")
        #expect(try log.read(options: ["--entry", other]).status == 1)
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `refuses any file with one bit changed`(seed: UInt64) throws {
        let log = try PublishedLog(size: 600)
        defer { log.remove() }
        var generator = SeededGenerator(seed: seed)
        let path = try #require(log.paths.randomElement(using: &generator))
        var bytes = try log.file(path)
        let place = Int.random(in: bytes.indices, using: &generator)
        bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        _ = try log.write(bytes, to: path)
        #expect(try log.read().status == 1, "seed \(seed): \(path) byte \(place)")
    }

    @Test func `tells what is missing from what is wrong`() throws {
        let log = try PublishedLog(size: 600)
        defer { log.remove() }
        try FileManager.default.removeItem(at: log.folder.appending(path: "tile/entries/001"))
        #expect(try log.read().status == 2)
        #expect(try log.read(options: ["--hashes-only"]).status == 0)
        let other = try NoteSigner(name: PublishedLog.origin)
        #expect(try log.read(vkey: other.verifier.vkey).status == 1)
        #expect(try log.read(vkey: "nonsense").status == 2)
    }

    @Test func `reads over HTTP, the entries with a token only`() throws {
        let log = try PublishedLog(size: 600)
        defer { log.remove() }
        let server = try TileServer(folder: log.folder, token: "secret")
        defer { server.stop() }
        let whole = try log.read(options: ["--token", "secret"], base: server.url)
        #expect(whole.status == 0, "\(whole.output)")
        #expect(try log.read(options: ["--token", "other"], base: server.url).status == 2)
        #expect(try log.read(base: server.url).status == 2)
        #expect(try log.read(options: ["--hashes-only"], base: server.url + "/").status == 0)
        #expect(try log.read(base: server.url + "/nothing").status == 2)
    }
}
