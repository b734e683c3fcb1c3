// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct `The command line` {
    @Test func `names a command that there is not, before its options`() throws {
        let run = try AuditedLedger.run("srve", "--data", "w")
        #expect(run.code == 2)
        #expect(run.errors.contains("there is no command 'srve'"))
        #expect(run.errors.contains("serve"))
        #expect(!run.errors.contains("Unknown option"))
    }

    @Test(arguments: ["timeline", "trends", "export", "rebuild"])
    func `says of a folder without a ledger that there is none`(name: String) throws {
        let folder = try TemporaryFolder()
        let missing = folder.url.appending(path: "nowhere").path
        let words = name == "timeline" ? [name, UUID().uuidString] : [name]
        let run = try AuditedLedger.run(
            program: AuditedLedger.daybook,
            words + ["--data", missing]
        )
        #expect(run.code == 2)
        #expect(run.errors == "Error: there is no ledger in \(missing); check --data\n")
    }

    @Test func `says a fault of a command without how the command is spelt`() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "file")
        try Data().write(to: file)
        let run = try AuditedLedger.run("serve", "--data", file.appending(path: "ledger").path)
        #expect(run.code == 2)
        #expect(run.errors.contains("Error: "))
        #expect(!run.errors.contains("Usage:"))
    }

    @Test func `says in words what a library met, and the way out`() throws {
        let folder = try TemporaryFolder()
        let missing = folder.url.appending(path: "nothing").path
        let new = folder.url.appending(path: "ledger").path
        let run = try AuditedLedger.run("import", missing, "--data", new)
        #expect(run.code == 2)
        #expect(run.errors.contains(missing) && run.errors.contains("check the name"))
        #expect(!run.errors.contains("NSCocoa"), "\(run.errors)")
    }

    @Test func `tells of the key beside a folder, and opens nothing unasked`() async throws {
        let ledger = try await AuditedLedger(events: 400)
        let entries = try ledger.entries()
        let key = ledger.url.path + ".master-key"
        try Data("x".utf8).write(to: URL(filePath: key))
        defer { unlink(key) }
        let text = String(decoding: Array(entries.joined(separator: [10])), as: UTF8.self)
        let session = try #require(text.firstMatch(of: /session\/([0-9a-f-]{36})/)?.output.1)
        let run = try AuditedLedger.run("timeline", String(session), "--data", ledger.url.path)
        #expect(run.code == 0)
        #expect(run.errors.contains("--master-key \(key)"))
    }

    @Test(arguments: [["export", "-o"], ["verify", "--save-checkpoint"], ["basemap", "-o"]])
    func `takes nothing away that is no file`(words: [String]) throws {
        let folder = try TemporaryFolder()
        let pipe = folder.url.appending(path: "pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        let run = try AuditedLedger.run(
            program: AuditedLedger.daybook,
            words + [pipe.path]
        )
        #expect(run.code != 0)
        #expect(run.errors.contains("\(pipe.path) is not a file"), "\(run.errors)")
        var facts = stat()
        #expect(stat(pipe.path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFIFO)
    }

    @Test(arguments: ["trends", "verify", "timeline"])
    func `does not end as if its output had been told, when it was lost`(name: String) async throws
    {
        let ledger = try await AuditedLedger(events: 400)
        let text = String(
            decoding: Array(try ledger.entries().joined(separator: [10])),
            as: UTF8.self
        )
        let session = try #require(text.firstMatch(of: /session\/([0-9a-f-]{36})/)?.output.1)
        let words = name == "timeline" ? [name, String(session)] : [name]
        let run = try AuditedLedger.run(
            program: "/bin/bash",
            ["-c", "\"$@\" > /dev/full", "bash", AuditedLedger.daybook] + words
                + ["--data", ledger.url.path]
        )
        #expect(run.code != 0)
        #expect(run.errors.contains("No space left on device"), "\(run.errors)")
    }
}
