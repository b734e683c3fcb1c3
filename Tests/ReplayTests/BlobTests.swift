// SPDX-License-Identifier: Apache-2.0
import Crypto
import Events
import EventsTesting
import Foundation
import Replay
import TestSupport
import Testing

/// Pictures of chats, looked at afterwards without any key.
@Suite(.tags(.promise5)) struct `Verifying pictures` {
    /// A ledger that names one sealed picture, and where its file lies; `isErased` has its person erased.
    private static func ledger(isErased: Bool = false) async throws -> (AuditedLedger, URL) {
        let folder = try TemporaryFolder()
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
        let person: PersonID = samples.id()
        let key = PersonKey.random()
        let sealed = SealedBlob.seal(Array("a street".utf8), with: key)
        let digest = Events.SHA256Digest(bytes: Array(SHA256.hash(data: sealed)))
        let added = ChatAttachmentAdded(
            message: samples.id(),
            temporaryID: "p1",
            from: .caller,
            person: person,
            blob: digest,
            bytes: sealed.count,
            mediaType: .png,
            width: 96,
            height: 64
        )
        let session: SessionID = samples.id()
        try await log.append(
            [
                SubjectWrite(
                    .session(session),
                    [Event(id: samples.id(), fact: .chat(.attachmentAdded(added)))]
                )
            ],
            command: samples.stamp()
        )
        if isErased {
            let erased = PersonErased(person: person, reason: "asked")
            try await log.append(
                [
                    SubjectWrite(
                        .person(person),
                        [Event(id: samples.id(), fact: .person(.erased(erased)))]
                    )
                ],
                command: samples.stamp()
            )
        }
        try await log.makeCheckpoint()
        await log.close()
        try LedgerDescription(origin: AuditedLedger.origin, vkey: signer.verifier.vkey)
            .write(to: folder.url)
        let file = folder.url.appending(path: "blobs/\(digest.text.prefix(2))/\(digest)")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(sealed).write(to: file)
        return (AuditedLedger(folder, signer), file)
    }

    @Test func `finds them sound in their place, and on their way there`() async throws {
        let (ledger, file) = try await Self.ledger()
        var report = try await ledger.verify { $0.without = [.keys, .accounts] }
        #expect(report.verdict.isSound, "\(report.text())")
        #expect(report.checks.contains { $0.name == "blobs" && $0.summary == "1 pictures" })
        let fresh = ledger.url.appending(path: "blobs/new")
        try FileManager.default.createDirectory(at: fresh, withIntermediateDirectories: true)
        try FileManager.default.moveItem(
            at: file,
            to: fresh.appending(path: file.lastPathComponent)
        )
        report = try await ledger.verify { $0.without = [.keys, .accounts] }
        #expect(report.verdict.isSound, "\(report.text())")
    }

    @Test func `names one that was changed, cut off or lost`() async throws {
        let (ledger, file) = try await Self.ledger()
        let sound = try Data(contentsOf: file)
        for (damaged, words) in [
            (sound.dropLast(), "bytes of the"),
            (Data(sound.map { $0 ^ 1 }), "its bytes are not what was stored"),
        ] {
            try damaged.write(to: file)
            let report = try await ledger.verify { $0.without = [.keys, .accounts] }
            #expect(report.verdict == .damage)
            #expect(
                report.findings.contains {
                    $0.place.hasSuffix(file.lastPathComponent) && $0.position == 0
                        && $0.fact.contains(words)
                },
                "\(report.text())"
            )
        }
        try FileManager.default.removeItem(at: file)
        let report = try await ledger.verify { $0.without = [.keys, .accounts] }
        #expect(report.verdict == .damage)
        #expect(report.findings.contains { $0.fact == "it is missing" })
    }

    @Test func `proves nothing of one that is kept from whoever looks`() async throws {
        let (ledger, file) = try await Self.ledger()
        try Data("another".utf8).write(to: file)
        _ = try AuditedLedger.run(program: "/usr/bin/chmod", ["-R", "a+rX", ledger.url.path])
        let arguments =
            ["verify", "--data", ledger.url.path]
            + ["keys", "accounts", "media"].flatMap { ["--without", $0] }
        #expect(try Powerless.run(arguments).code == 1)
        _ = try AuditedLedger.run(program: "/usr/bin/chmod", ["000", file.path])
        let run = try Powerless.run(arguments)
        let said = String(decoding: run.out, as: UTF8.self)
        #expect(run.code == 3, "\(said)")
        #expect(said.contains("\(file.lastPathComponent) (Permission denied)"))
    }

    @Test func `takes one of an erased person for deleted`() async throws {
        let (ledger, file) = try await Self.ledger(isErased: true)
        try FileManager.default.removeItem(at: file)
        let report = try await ledger.verify { $0.without = [.keys, .accounts] }
        #expect(report.verdict.isSound, "\(report.text())")
        #expect(report.findings.contains { $0.fact.contains("was erased by position 1") })
    }

    @Test
    func `names each photo of a report that is not here, and calls no stranger's word damage`()
        async throws
    {
        let folder = try TemporaryFolder()
        let seed = [UInt8](repeating: 7, count: 32)
        let signer = try NoteSigner(name: AuditedLedger.origin, seed: seed)
        let log = try EventLog.open(
            folder.url,
            configuration: LogConfiguration(
                origin: AuditedLedger.origin,
                keys: SeededKeys(),
                signer: signer
            )
        )
        var samples = SampleEvents()
        let (reporter, report): (PersonID, ReportID) = (samples.id(), samples.id())
        let photos = [1, 2].map { Events.SHA256Digest(bytes: [UInt8](repeating: $0, count: 32)) }
        let submitted = ReportSubmitted(
            reporter: reporter,
            fix: .open(Fix(latitude: 54, longitude: -1), of: reporter),
            species: "seal",
            sizeClass: .small,
            condition: .injured,
            photos: photos
        )
        try await log.append(
            [
                SubjectWrite(
                    .report(report),
                    [Event(id: samples.id(), fact: .report(.submitted(submitted)))]
                )
            ],
            command: samples.stamp()
        )
        try await log.makeCheckpoint()
        await log.close()
        try LedgerDescription(origin: AuditedLedger.origin, vkey: signer.verifier.vkey)
            .write(to: folder.url)
        let ledger = AuditedLedger(folder, signer)
        let found = try await ledger.verify { $0.without = [.keys, .accounts] }
        #expect(found.verdict == .soundAsFarAsLookedAt, "\(found.text())")
        let missing = found.findings.filter { $0.severity == .missing }
        #expect(missing.map(\.place) == photos.map { "blobs/\($0.text.prefix(2))/\($0)" })
        #expect(missing.allSatisfy { $0.position == 0 })
        #expect(found.text().contains("MISSING"))
        #expect(found.notLookedAt.contains { $0.contains("2 photos that reports name") })
    }
}
