// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import TestSupport
import Testing

@testable import Gateway

/// What `daybook backup` and `daybook restore` do, as programs beside a gateway that serves.
@Suite(.tags(.promise7), .timeLimit(.minutes(3))) struct `A backup` {
    private static func daybook(_ arguments: [String]) async throws -> FinishedProgram {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let daybook = URL(filePath: own).deletingLastPathComponent().appending(path: "daybook")
        return try await FinishedProgram(running: daybook.path, arguments)
    }

    private static func backUp(_ folder: TemporaryFolder) async throws -> URL {
        let place = folder.url.appending(path: "backups")
        let ended = try await daybook([
            "backup", "--to", place.path, "--data", folder.url.appending(path: "ledger").path,
        ])
        #expect(ended.code == 0, "\(ended.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: place.path)
        return place.appending(path: try #require(names.filter { $0.hasSuffix("Z") }.max()))
    }

    private static func restore(
        _ backup: URL,
        in folder: TemporaryFolder,
        _ more: [String] = []
    ) async throws -> (at: URL, FinishedProgram) {
        let place = folder.url.appending(path: "restored/ledger")
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        let key = folder.url.appending(path: "ledger.master-key").path
        let arguments = ["restore", backup.path, "--data", place.path, "--master-key", key]
        return (place, try await daybook(arguments + more))
    }

    private static func isThere(_ place: URL) -> Bool {
        FileManager.default.fileExists(atPath: place.path)
    }

    @Test func `is of one moment, says that it holds keys, and has the root of its entries`()
        async throws
    {
        let (folder, backup, size) = try await TestGateway.run { gateway in
            let reporter = try await gateway.user(.reporter, login: "rita")
            let report = try await reporter.post("/v1/reports", `Reports over HTTP`.dog())
            #expect(report.status == 201)
            let size = gateway.ledger.log.size
            let backup = try await Self.backUp(gateway.folder)
            _ = try await reporter.post("/v1/reports", `Reports over HTTP`.dog())
            return (gateway.folder, backup, size)
        }
        let made = try Backup.read(backup)
        #expect(made.entries == size)
        let copy = backup.appending(path: "ledger")
        let key = folder.url.appending(path: "ledger.master-key").path
        let verified = try await Self.daybook([
            "verify", "--data", copy.path, "--master-key", key, "--json",
        ])
        #expect(String(decoding: verified.out, as: UTF8.self).contains(made.root))
        #expect(verified.code == 0, "\(verified.errors)")
        let (place, ended) = try await Self.restore(backup, in: folder)
        #expect(ended.code == 0, "\(ended.errors)")
        let restored = try EntryStore.open(place).contents()
        #expect(restored.size == made.entries && restored.root.description == made.root)
    }

    @Test func `gives nobody back who was erased since, whatever was open then`()
        async throws
    {
        let (folder, backup, person, other) = try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let chief = try await gateway.user(.supervisor, login: "sue")
            let amina = try await gateway.user(.operator, login: "amina")
            let (_, session) = try await gateway.openChat("+447712345678", codeBy: amina)
            let contact = try gateway.ledger.handler.current(Session.self, session).contact
            let person = try #require(contact).caller
            let reporter = try await gateway.user(.reporter, login: "rita")
            let kept = try await `Erasing a person`.person(reporter, gateway)
            let other = try #require(PersonID(kept))
            let hold = try await chief.post(
                "/v1/holds",
                ["scope": "person/\(person)", "reason": "trial", "authority": "court 7"]
            ).text("hold")
            let backup = try await Self.backUp(gateway.folder)

            let approver = ["login": "ada", "password": "correct horse battery"]
            let lift: [String: any Sendable] = ["reason": "over", "approver": approver]
            #expect(try await chief.post("/v1/holds/\(hold)/lift", lift).status == 200)
            let closing = ["disposition": "handled"]
            #expect(try await chief.post("/v1/sessions/\(session)/close", closing).status == 200)
            let asked = `Erasing a person`.asked(with: "sue")
            let erased = try await admin.post("/v1/persons/\(person)/erase", asked)
            #expect(erased.status == 200, "\(erased.body)")
            return (gateway.folder, backup, person, other)
        }
        let (place, ended) = try await Self.restore(backup, in: folder)
        #expect(ended.code == 0, "\(ended.errors)")
        let key = try MasterKey.read(from: folder.url.appending(path: "ledger.master-key"))
        let keys = try KeyStore.open(
            at: place.appending(path: "keys"),
            masterKey: key,
            for: .reading
        )
        #expect(keys.isDestroyed(person))
        #expect(keys.key(of: other) != nil)
    }

    @Test func `that tells a place of an erasure waits until its disk is back`() async throws {
        try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            _ = try await gateway.user(.supervisor, login: "sue")
            let reporter = try await gateway.user(.reporter, login: "rita")
            let person = try await `Erasing a person`.person(reporter, gateway)
            let place = try await Self.backUp(gateway.folder).deletingLastPathComponent()
            let away = place.deletingLastPathComponent().appending(path: "away")
            let files = FileManager.default
            try files.moveItem(at: place, to: away)
            // As where a disk is mounted otherwise.
            try files.createDirectory(at: place, withIntermediateDirectories: true)
            let asked = `Erasing a person`.asked(with: "sue")
            _ = try await admin.post("/v1/persons/\(person)/erase", asked)
            let id = try #require(PersonID(person))
            #expect(gateway.ledger.keys.isDestroyed(id))
            #expect(gateway.ledger.erasureDebt.people.contains(id))
            #expect(try files.contentsOfDirectory(atPath: place.path).isEmpty)
            try files.removeItem(at: place)
            try files.moveItem(at: away, to: place)
            #expect(try await Erasure(ledger: gateway.ledger).finish(id).left.isEmpty)
            let identity = gateway.ledger.identity
            let list = place.appending(path: ErasureList.name(of: identity))
            let told = try ErasureList.entries(in: list).map(\.envelope.kind)
            #expect(told == [PersonErased.kind])
            // Told once, however often it is finished.
            _ = try await Erasure(ledger: gateway.ledger).finish(id)
            #expect(try ErasureList.entries(in: list).count == 1)
        }
    }

    @Test func `shares what has not changed with the one before`() async throws {
        try await TestGateway.run { gateway in
            let media = gateway.ledger.folder.media.appending(path: "2026/11")
            try FileManager.default.createDirectory(at: media, withIntermediateDirectories: true)
            try Data("same".utf8).write(to: media.appending(path: "one.webm"))
            let first = try Backup.read(try await Self.backUp(gateway.folder))
            #expect(first.filesShared == 0 && first.files == 1)
            let earlier = gateway.folder.url.appending(path: "backups")
            let names = try FileManager.default.contentsOfDirectory(atPath: earlier.path)
            let name = try #require(names.first { $0.hasSuffix("Z") })
            // A backup is named by its second.
            try FileManager.default.moveItem(
                at: earlier.appending(path: name),
                to: earlier.appending(path: "2020-01-01T00-00-00Z")
            )
            try Data("new".utf8).write(to: media.appending(path: "two.webm"))
            let second = try Backup.read(try await Self.backUp(gateway.folder))
            #expect(second.filesShared == 1 && second.files == 2)
        }
    }

    @Test func `is restored into an empty folder alone, whole, and with a list of erasures`()
        async throws
    {
        let (folder, backup) = try await TestGateway.run { gateway in
            (gateway.folder, try await Self.backUp(gateway.folder))
        }
        let place = folder.url.appending(path: "restored/ledger")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let file = place.appending(path: "mine")
        try Data().write(to: file)
        #expect(try await Self.restore(backup, in: folder).1.errors.contains("is not empty"))
        #expect(Self.isThere(file))
        try FileManager.default.removeItem(at: file)

        let alone = folder.url.appending(path: "alone/copy")
        try FileManager.default.createDirectory(
            at: alone.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try FileManager.default.copyItem(at: backup, to: alone)
        let unknown = try await Self.restore(alone, in: folder).1
        #expect(unknown.code == 2 && unknown.errors.contains("--erasures none"))

        let data = alone.appending(path: "backup.json")
        let text = try String(contentsOf: data, encoding: .utf8)
        let made = try Backup.read(alone)
        try Data(text.replacing(made.root, with: "00").utf8).write(to: data)
        let other = try await Self.restore(alone, in: folder, ["--erasures", "none"]).1
        #expect(other.code == 2 && other.errors.contains("is not what was backed up"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).isEmpty)
    }

    @Test func `is not made inside the ledger, nor where other things lie`() async throws {
        try await TestGateway.run { gateway in
            let ledger = gateway.folder.url.appending(path: "ledger").path
            let full = gateway.folder.url.appending(path: "full")
            try FileManager.default.createDirectory(at: full, withIntermediateDirectories: true)
            try Data().write(to: full.appending(path: "letters"))
            for (place, words) in [
                (ledger + "/backups", "would be lost with it"), (full.path, "other things in it"),
            ] {
                let ended = try await Self.daybook(["backup", "--to", place, "--data", ledger])
                #expect(ended.code == 2 && ended.errors.contains(words), "\(ended.errors)")
            }
            #expect(try BackupPlaces.read(of: gateway.ledger.folder).folders.isEmpty)
        }
    }
}
