// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Gateway

@Suite struct `A folder that may lie on a disk of its own` {
    private static let ours = LedgerIdentity(origin: "daybook.example.org/main", vkey: "key")

    /// A ledger's folder, and one look at its recordings, as a process makes it.
    private struct Scene {
        let temporary: TemporaryFolder
        let ledger: LedgerFolder

        init() throws {
            temporary = try TemporaryFolder()
            ledger = LedgerFolder(root: temporary.url.appending(path: "ledger"))
            try ledger.make()
            try ours.write(to: ledger.identity)
        }

        func folder(hasWhatIsNamed: Bool, mayWrite: Bool = true) -> MarkedFolder {
            MarkedFolder(
                ledger.media,
                of: ledger,
                ours,
                mayWrite: { mayWrite },
                hasWhatIsNamed: { _ in hasWhatIsNamed }
            )
        }

        var mark: URL { ledger.media.appending(path: "daybook.json") }

        func isMarked() -> Bool { FileManager.default.fileExists(atPath: mark.path) }
    }

    @Test func `is marked where it has what the log names, and only there`() throws {
        let scene = try Scene()
        try FileManager.default.createDirectory(
            at: scene.ledger.media,
            withIntermediateDirectories: true
        )
        let fault = scene.folder(hasWhatIsNamed: false).fault
        #expect(fault?.words.contains("its disk may not be mounted") == true)
        #expect(!scene.isMarked())
        #expect(scene.folder(hasWhatIsNamed: true, mayWrite: false).fault == nil)
        #expect(!scene.isMarked(), "a log that takes nothing gives no marks")
        #expect(scene.folder(hasWhatIsNamed: true).fault == nil)
        #expect(scene.isMarked())
    }

    @Test func `is marked once: an empty mount point is never taken for it`() throws {
        let scene = try Scene()
        let files = FileManager.default
        #expect(scene.folder(hasWhatIsNamed: true).fault == nil)
        let aside = scene.temporary.url.appending(path: "disk")
        try files.moveItem(at: scene.ledger.media, to: aside)
        try files.createDirectory(at: scene.ledger.media, withIntermediateDirectories: true)
        // A log that names nothing yet would let any folder pass.
        let folder = scene.folder(hasWhatIsNamed: true)
        #expect(throws: FolderAway.self) { try folder.check() }
        #expect(try files.contentsOfDirectory(atPath: scene.ledger.media.path).isEmpty)
        try files.removeItem(at: scene.ledger.media)
        try files.moveItem(at: aside, to: scene.ledger.media)
        #expect(scene.folder(hasWhatIsNamed: true).fault == nil)
    }

    @Test func `is not another ledger's, and still this one's under a new key`() throws {
        let scene = try Scene()
        _ = scene.folder(hasWhatIsNamed: true).fault
        try LedgerIdentity(origin: "daybook.example.org/main", vkey: "new").write(to: scene.mark)
        #expect(scene.folder(hasWhatIsNamed: true).fault == nil)
        try LedgerIdentity(origin: "elsewhere/main", vkey: "key").write(to: scene.mark)
        let fault = scene.folder(hasWhatIsNamed: true).fault
        #expect(fault?.words.contains("of the ledger elsewhere/main") == true)
        try Data("no mark".utf8).write(to: scene.mark)
        #expect(scene.folder(hasWhatIsNamed: true).fault?.code == "folder mark")
    }
}
