// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Media
import Synchronization
import TestSupport
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(2))) struct `Volumes of recordings` {
    private static func folder(_ name: String, in gateway: TestGateway) throws -> URL {
        let place = gateway.folder.url.appending(path: name)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        return place
    }

    private static func put(_ name: String, _ text: String, in folder: URL) throws {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: file)
    }

    private static func names(in folder: URL) throws -> [String] {
        try FileCopy.names(below: folder)
    }

    @Test func `are added, drained, used again and removed while the gateway serves`() async throws
    {
        try await TestGateway.atRest { gateway in
            let changes = VolumeChanges(folder: gateway.ledger.folder.root)
            let served = gateway.ledger.folders.volumes.volumes
            let (own, other) = (
                gateway.ledger.folder.media, try Self.folder("other", in: gateway)
            )
            #expect(served.all.map(\.folder.path) == [own.path])
            try changes.change(.add, other.path)
            #expect(served.all.map(\.folder.path) == [own.path, other.path])
            try changes.change(.drain, "media")
            #expect(try served.forNew().folder.path == other.path)
            try changes.change(.use, "media")
            try changes.change(.drain, other.path)
            #expect(try served.forNew().folder.path == own.path)
            try changes.change(.remove, other.path)
            #expect(served.all.map(\.folder.path) == [own.path])
            #expect(try FileManager.default.contentsOfDirectory(atPath: other.path).isEmpty)
        }
    }

    @Test func `move what is finished, and nothing that grows`() async throws {
        try await TestGateway.atRest { gateway in
            let changes = VolumeChanges(folder: gateway.ledger.folder.root)
            let (own, other) = (
                gateway.ledger.folder.media, try Self.folder("other", in: gateway)
            )
            try changes.change(.add, other.path)
            try changes.change(.drain, "media")
            try Self.put("2026/11/done.webm", "pictures", in: own)
            let drain = VolumeDrain(ledger: gateway.ledger)
            try await drain.look()
            // Both are whole, so that whoever found the first one may open it still.
            #expect(try Self.names(in: own) == ["2026/11/done.webm"])
            #expect(try Self.names(in: other) == ["2026/11/done.webm"])
            try Self.put("2026/11/done.webm", "pictures and more", in: own)
            try await drain.look()
            #expect(try Self.names(in: other).isEmpty)
            try await drain.look()
            try await drain.look()
            #expect(try Self.names(in: own).isEmpty)
            let moved = other.appending(path: "2026/11/done.webm")
            #expect(try String(contentsOf: moved, encoding: .utf8) == "pictures and more")
            let found = gateway.ledger.folders.volumes.volumes.path(of: "2026/11/done.webm")
            #expect(found == moved.path)
        }
    }

    @Test func `of which one is away keep the others recording, and lose nothing`() async throws {
        let away = Mutex<Fault?>(nil)
        let scene = try TemporaryFolder()
        let (near, far) = (scene.url.appending(path: "near"), scene.url.appending(path: "far"))
        for place in [near, far] { try Self.put("a.webm", place.lastPathComponent, in: place) }
        try Self.put("b.webm", "far alone", in: far)
        let volumes = Volumes {
            [
                Volume(
                    folder: near,
                    room: ArchiveRoom(floor: 0, away: { nil }, ask: { 1 << 30 })
                ),
                Volume(
                    folder: far,
                    room: ArchiveRoom(
                        floor: 0,
                        away: { away.withLock { $0 } },
                        ask: { 1 << 40 }
                    )
                ),
            ]
        }
        #expect(try volumes.forNew().folder == far)
        #expect(volumes.path(of: "b.webm") == far.appending(path: "b.webm").path)
        let fault = Fault(code: "away", words: "it is not mounted")
        away.withLock { $0 = fault }
        #expect(try volumes.forNew().folder == near)
        #expect(volumes.fault == nil && volumes.away == [fault])
        #expect(throws: Never.self) { try volumes.check("a.webm") }
        #expect(throws: ArchiveError.away(fault)) { try volumes.check("b.webm") }
        away.withLock { $0 = nil }
        #expect(throws: Never.self) { try volumes.check("b.webm") }
    }

    @Test func `are refused in words where a folder will not do`() async throws {
        try await TestGateway.atRest { gateway in
            let changes = VolumeChanges(folder: gateway.ledger.folder.root)
            let root = gateway.ledger.folder.root.path
            let full = try Self.folder("full", in: gateway)
            try Self.put("letters", "dear", in: full)
            let other = try Self.folder("other", in: gateway)
            let cases: [(VolumeChanges.Action, String, VolumeError)] = [
                (.add, "other", .notFull("other")),
                (.add, "/nowhere/at/all", .notThere("/nowhere/at/all")),
                (.add, full.path, .notEmpty(full.path)),
                (.add, root + "/log", .within(root + "/log", root)),
                (.drain, "media", .last("media")),
                (.drain, other.path, .unknown(other.path)),
                (.remove, "media", .own),
            ]
            for (action, path, error) in cases {
                #expect(throws: error) { try changes.change(action, path) }
            }
            try changes.change(.add, other.path)
            let inUse = VolumeError.inUse(other.path, files: 0, isDraining: false)
            #expect(throws: inUse) { try changes.change(.remove, other.path) }
            try Self.put("2026/11/one.webm", "pictures", in: other)
            try changes.change(.drain, other.path)
            let notEmpty = VolumeError.inUse(other.path, files: 1, isDraining: true)
            #expect(throws: notEmpty) { try changes.change(.remove, other.path) }
            let mark = other.appending(path: LedgerFolder.identityName)
            try FileManager.default.removeItem(at: mark)
            #expect(throws: VolumeError.self) { try changes.change(.remove, other.path) }
            try changes.change(.remove, other.path, isLost: true)
            #expect(try changes.list().map(\.path) == ["media"])
        }
    }

    @Test func `are listed and changed by admins alone`() async throws {
        try await TestGateway.run { gateway in
            let admin = try await gateway.user(.admin, login: "ada")
            let chief = try await gateway.user(.supervisor, login: "sue")
            let other = try Self.folder("other", in: gateway)
            let add = ["path": other.path, "action": "add"]
            #expect(try await chief.get("/v1/volumes").status == 403)
            #expect(try await chief.post("/v1/volumes", add).status == 403)
            let added = try await admin.post("/v1/volumes", add)
            let listed = try added.object["volumes"] as? [[String: Any]]
            let paths = listed?.compactMap { $0["path"] as? String }
            #expect(added.status == 200 && paths == ["media", other.path])
            let refused = try await admin.post(
                "/v1/volumes",
                ["path": "/nowhere/at/all", "action": "add"]
            )
            #expect(try refused.problem == "volume-unusable")
        }
    }
}
