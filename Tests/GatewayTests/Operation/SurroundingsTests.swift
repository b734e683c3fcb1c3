// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Gateway

@Suite struct `What surrounds a ledger` {
    @Test(arguments: [
        "mailto:ops@localhost", "https://localhost", "mailto:<ops@centre.org>", "mailto:ops",
        "mailto:ops@centre", "https://centre.local", "mailto:ops@example.com", "https://ledger",
        "mailto:ops@mail.internal", "https://x.example.org", "https://main.test",
    ])
    func `is a contact that Apple refuses`(contact: String) {
        #expect(Surroundings.contactFault(contact) != nil)
    }

    @Test(arguments: ["mailto:ops@centre.org", "https://centre.gov.uk/help", "https://112.eu"])
    func `is a contact that somebody reaches`(contact: String) {
        #expect(Surroundings.contactFault(contact) == nil)
    }

    @Test(arguments: [
        ("/srv/daybook", nil), ("/run/daybook", "tmpfs"), ("/runner", nil), ("/mnt/a/b", "nfs4"),
        ("/mnt/a/b/disk", nil), ("/media/s3", "fuse.s3fs"),
    ])
    func `is a file system that does not last, or does not lock`(path: String, kind: String?) {
        let mounts = """
            /dev/sda1 / ext4 rw 0 0
            tmpfs /run tmpfs rw 0 0
            server:/a /mnt/a nfs4 rw 0 0
            /dev/sdb1 /mnt/a/b/disk xfs rw 0 0
            s3fs /media/s3 fuse.s3fs rw 0 0
            """
        let fault = Surroundings.fileSystemFault(of: [URL(filePath: path)], mounts: mounts)
        #expect(fault?.code == kind.map { "file system \($0)" })
        #expect(Surroundings.fileSystemFault(of: [URL(filePath: "/")], mounts: nil) == nil)
    }

    @Test func `is a journal that somebody else lets grow`() throws {
        let scratch = try TemporaryFolder()
        let folder = LedgerFolder(root: scratch.url)
        try FileManager.default.createDirectory(
            at: folder.readModels,
            withIntermediateDirectories: true
        )
        let journal = folder.readModels.appending(path: "registry-1.sqlite-wal")
        try Data(count: 3_000).write(to: journal)
        #expect(Surroundings.journalFault(in: folder, bytesMax: 3_000) == nil)
        let fault = Surroundings.journalFault(in: folder, bytesMax: 2_999)
        #expect(fault?.words.contains(journal.lastPathComponent) == true)
    }
}
