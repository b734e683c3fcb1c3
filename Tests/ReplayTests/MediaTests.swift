// SPDX-License-Identifier: Apache-2.0
import Crypto
import Events
import EventsTesting
import Foundation
import Media
import Replay
import TestSupport
import Testing

/// Promise 9, looked at afterwards: what is in the archive is what the log says.
@Suite(.tags(.promise5)) struct `Verifying media` {
    /// A ledger with one real recording; `damage` changes its bytes before their digests are logged, and a decoder saw
    /// `undecodable` of its frames.
    private static func ledger(
        undecodable: Int = 0,
        damage: (inout [UInt8], [ChunkPlace]) -> Void = { _, _ in }
    ) async throws -> (ledger: AuditedLedger, file: URL) {
        let folder = try TemporaryFolder()
        let name = "2026-11-21-13-11-123456789.webm"
        let file = folder.url.appending(path: "media/\(name)")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try FileManager.default.copyItem(at: try recording(), to: file)
        let chunks = try RecordingReader(path: file.path).chunks
        var bytes = [UInt8](try Data(contentsOf: file))
        damage(&bytes, chunks)
        try Data(bytes).write(to: file)
        let signer = try NoteSigner(
            name: AuditedLedger.origin,
            seed: [UInt8](repeating: 7, count: 32)
        )
        let log = try EventLog.open(
            folder.url,
            configuration: LogConfiguration(
                origin: AuditedLedger.origin,
                keys: SeededKeys(),
                signer: signer
            )
        )
        var samples = SampleEvents()
        let stream: StreamID = samples.id()
        let events = chunks.map { chunk in
            let range = Int(chunk.bytes.lowerBound)..<Int(chunk.bytes.upperBound)
            return Event(
                id: samples.id(),
                fact: .stream(
                    .chunkArchived(
                        StreamChunkArchived(
                            number: chunk.index,
                            file: name,
                            offset: range.lowerBound,
                            length: range.count,
                            sha256: Events.SHA256Digest(
                                bytes: Array(SHA256.hash(data: bytes[range]))
                            ),
                            firstMilliseconds: Int(chunk.firstMilliseconds),
                            lastMilliseconds: Int(chunk.lastMilliseconds),
                            keyFrame: chunk.startsWithKeyFrame,
                            part: Int(chunk.part),
                            through: 0
                        )
                    )
                )
            )
        }
        let seen = StreamChunksInspected(
            firstChunk: 0,
            lastChunk: chunks.count - 1,
            outcome: .decoded,
            frames: 1,
            undecodable: undecodable,
            width: 64,
            height: 64
        )
        let look = Event(id: samples.id(), fact: .stream(.chunksInspected(seen)))
        try await log.append(
            [SubjectWrite(.stream(stream), events + [look])],
            command: samples.stamp()
        )
        try await log.makeCheckpoint()
        await log.close()
        try LedgerDescription(origin: AuditedLedger.origin, vkey: signer.verifier.vkey)
            .write(to: folder.url)
        return (AuditedLedger(folder, signer), file)
    }

    /// A recording made of numbered pictures.
    private static func recording() throws -> URL {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "daybook-recording-\(UUID().uuidString).webm")
        let tool = URL(fileURLWithPath: try AuditedLedger.daybook)
            .deletingLastPathComponent().appending(path: "daybook-media").path
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "fixtures/media")
        let fixture = try #require(
            try FileManager.default.contentsOfDirectory(at: source, includingPropertiesForKeys: nil)
                .filter { $0.pathExtension == "webm" }.min { $0.path < $1.path }
        )
        let run = try AuditedLedger.run(program: tool, ["archive", folder.path, fixture.path])
        try #require(run.code == 0, "\(run.errors)")
        return folder
    }

    @Test func `that is not here is no damage while an event that may tell why cannot be read`()
        async throws
    {
        let (ledger, file) = try await Self.ledger()
        var entries = try ledger.entries()
        func verify(with bytes: Data? = nil) async throws -> VerifyReport {
            let forged = try ForgedLog().write(entries)
            if let bytes {
                let media = forged.url.appending(path: "media")
                try FileManager.default.createDirectory(
                    at: media,
                    withIntermediateDirectories: true
                )
                try bytes.write(to: media.appending(path: file.lastPathComponent))
            }
            return try await forged.verify { $0.without = [.keys, .accounts, .blobs] }
        }
        let missing = try await verify()
        #expect(missing.findings.contains { $0.fact.contains("it is missing") })
        let newest = entries.popLast()
        let last = try #require(newest)
        entries.append(last.replacing("\"org\":\"", with: "\"org\":\" "))
        let report = try await verify()
        #expect(report.verdict == .damage)
        #expect(!report.findings.contains { $0.fact.contains("it is missing") })
        #expect(report.notLookedAt.contains { $0.contains("recordings that are not here") })
        let longer = try await verify(with: Data(contentsOf: file) + Data("more".utf8))
        #expect(longer.notLookedAt.contains { $0.contains("could not be read may tell of it") })
    }

    @Test func `finds whole files sound and decodes every frame`() async throws {
        let (ledger, _) = try await Self.ledger()
        let report = try await ledger.verify {
            $0.without = [.keys, .accounts]
            $0.decodesVideo = true
        }
        #expect(report.verdict.isSound, "\(report.text())")
        #expect(
            report.checks.contains { $0.name == "media" && $0.summary.contains("frames decoded") }
        )
    }

    @Test func `names a file that was cut off, changed or lost`() async throws {
        let (ledger, file) = try await Self.ledger()
        let sound = try Data(contentsOf: file)
        try sound.prefix(sound.count * 2 / 3).write(to: file)
        var report = try await ledger.verify { $0.without = [.keys, .accounts] }
        #expect(report.findings.contains { $0.fact.contains("it is cut off") }, "\(report.text())")
        var changed = sound
        changed[sound.count / 2] ^= 1
        try changed.write(to: file)
        report = try await ledger.verify { $0.without = [.keys, .accounts] }
        #expect(
            report.findings.contains {
                $0.place.hasSuffix(file.lastPathComponent)
                    && $0.fact.contains("is not what was archived")
            },
            "\(report.text())"
        )
        try FileManager.default.removeItem(at: file)
        report = try await ledger.verify { $0.without = [.keys, .accounts] }
        #expect(report.findings.contains { $0.fact.contains("it is missing") })
    }

    @Test func `finds a corrupted payload under a right digest, by decoding only`() async throws {
        let (ledger, _) = try await Self.ledger(damage: Self.corrupt)
        #expect(try await ledger.verify { $0.without = [.keys, .accounts] }.verdict.isSound)
        let report = try await ledger.verify {
            $0.without = [.keys, .accounts]
            $0.decodesVideo = true
        }
        #expect(report.verdict == .damage)
        #expect(report.findings.contains { $0.place.hasPrefix("media/") }, "\(report.text())")
    }

    @Test func `takes frames that never could be decoded for what their sender sent`() async throws
    {
        let (ledger, _) = try await Self.ledger(undecodable: 7, damage: Self.corrupt)
        let report = try await ledger.verify {
            $0.without = [.keys, .accounts]
            $0.decodesVideo = true
        }
        #expect(report.verdict.isSound, "\(report.text())")
        #expect(report.findings.contains { $0.fact.contains("nothing says that they ever could") })
    }

    /// Turns over what stands in the middle of a chunk.
    private static func corrupt(_ bytes: inout [UInt8], _ chunks: [ChunkPlace]) {
        let chunk = chunks[chunks.count / 2]
        let middle = Int(chunk.offset) + chunk.length / 2
        for index in middle..<min(middle + 400, Int(chunk.bytes.upperBound) - 64) {
            bytes[index] = ~bytes[index]
        }
    }
}
