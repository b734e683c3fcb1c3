// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Foundation
import Replay
import TestSupport
import Testing

@Suite(.tags(.promise5)) struct `Export and import` {
    @Test func `give a fresh ledger with the same bytes and the same root`() async throws {
        let ledger = try await AuditedLedger(events: 2_000)
        let file = ledger.url.appending(path: "all.jsonl")
        #expect(
            try AuditedLedger.run("export", "--data", ledger.url.path, "-o", file.path).code == 0
        )
        let fresh = try TemporaryFolder()
        let imported = try AuditedLedger.run("import", "--data", fresh.url.path, file.path)
        #expect(imported.code == 0, "\(imported.errors)")
        let copy = AuditedLedger(fresh, ledger.signer)
        #expect(try copy.entries() == ledger.entries())
        let report = try await copy.verify {
            $0.against = [ledger.url.appending(path: "checkpoint")]
            $0.vkeys = [ledger.signer.verifier.vkey]
        }
        #expect(report.verdict.isSound, "\(report.text())")
        #expect(report.provedSize == report.size)
        // The imported ledger goes on where the other one stood.
        let log = try EventLog.open(
            fresh.url,
            configuration: LogConfiguration(
                origin: AuditedLedger.origin,
                keys: SeededKeys(),
                signer: ledger.signer
            )
        )
        #expect(log.size == report.size)
        #expect(log.readOnlyReason == nil)
        await log.close()
    }

    @Test func `refuse a ledger that has entries, and leave it as it was`() async throws {
        let ledger = try await AuditedLedger(events: 100)
        let file = ledger.url.appending(path: "all.jsonl")
        _ = try AuditedLedger.run("export", "--data", ledger.url.path, "-o", file.path)
        let run = try AuditedLedger.run("import", "--data", ledger.url.path, file.path)
        #expect(run.code == 2)
        #expect(run.errors.contains("fresh ledger"))
        #expect(try await ledger.verify().verdict.isSound)
    }

    @Test(arguments: [
        ("CR LF", "line 1 ends in CR LF"), ("BOM", "line 1 begins with a byte order mark"),
        ("UTF-16", "line 1 is not UTF-8"), ("pretty", "line 1 is no entry as it was recorded"),
        ("blanks", "line 1 is no entry as it was recorded"), ("empty", "line 101 is empty"),
        ("quoted", "line 1 is quoted with >"), ("number", "line 1 is no entry"),
    ])
    func `say of a file that a program changed what was done to it, and take nothing of it`(
        change: String,
        fault: String
    ) async throws {
        let ledger = try await AuditedLedger(events: 100)
        let whole = try ledger.entries().map { String(decoding: $0, as: UTF8.self) + "\n" }
        let text = whole.joined()
        let changed: Data =
            switch change {
            case "CR LF": Data(text.replacing("\n", with: "\r\n").utf8)
            case "BOM": Data("\u{FEFF}\(text)".utf8)
            case "UTF-16": try #require(text.data(using: .utf16LittleEndian))
            case "pretty": Data(text.replacing("{", with: "{\n").utf8)
            case "blanks": Data(text.replacing("\":\"", with: "\": \"").utf8)
            case "empty": Data("\(text)\n".utf8)
            case "quoted": Data(whole.map { "> \($0)" }.joined().utf8)
            default: Data(text.replacing("\"data\":{", with: "\"data\":{\"a\":1.0,").utf8)
            }
        let file = ledger.url.appending(path: "changed.ndjson")
        try changed.write(to: file)
        let fresh = try TemporaryFolder()
        let run = try AuditedLedger.run("import", "--data", fresh.url.path, file.path)
        #expect(run.code == 2)
        #expect(run.errors.contains(fault), "\(run.errors)")
        #expect(run.errors.contains("a program changed the file"), "\(run.errors)")
        #expect(!run.errors.contains("the log is damaged"))
        #expect(!FileManager.default.fileExists(atPath: fresh.url.appending(path: "log").path))
    }

    @Test(arguments: [
        ("CR LF", "line 1 ends in CR LF"), ("BOM", "line 1 begins with a byte order mark"),
        ("no end", "has no end"), ("quoted", "line 1 is quoted with >"),
        ("dash", "begins with a short dash"), ("blanks", "line 1 ends in a blank"),
        ("twice", "holds no checkpoint"),
    ])
    func `call a checkpoint that a program changed no damage`(
        change: String,
        fault: String
    ) async throws {
        let ledger = try await AuditedLedger(events: 100)
        let note = try String(contentsOf: ledger.url.appending(path: "checkpoint"), encoding: .utf8)
        let changed =
            switch change {
            case "CR LF": note.replacing("\n", with: "\r\n")
            case "BOM": "\u{FEFF}\(note)"
            case "no end": String(note.dropLast())
            case "quoted": note.split(separator: "\n").map { "> \($0)\n" }.joined()
            case "dash": note.replacing("— ", with: "- ")
            case "blanks": note.replacing("\n", with: " \n")
            default: note + note
            }
        let file = ledger.url.appending(path: "kept")
        try Data(changed.utf8).write(to: file)
        let run = try AuditedLedger.run(
            "verify",
            "--data",
            ledger.url.path,
            "--against",
            file.path
        )
        #expect(run.code == 2)
        #expect(run.errors.contains(fault), "\(run.errors)")
    }

    @Test func `say that a log ends before its last commit, or goes on behind it`() async throws {
        let ledger = try await AuditedLedger(events: 300)
        let entries = try ledger.entries()
        let count = entries.count
        let lost = "positions \(count - 5)..<\(count) are lost"
        for (kept, fault) in [(count - 5, lost), (count, "")] {
            let forged = try ForgedLog().write(
                Array(entries.prefix(kept)),
                sealedAt: UInt64(count)
            )
            let file = forged.url.appending(path: "all.ndjson").path
            let run = try AuditedLedger.run("export", "--data", forged.url.path, "-o", file)
            #expect(run.code == (fault.isEmpty ? 0 : 1), "\(run.errors)")
            #expect(run.errors.contains(fault) || fault.isEmpty, "\(run.errors)")
        }
        let longer = try ForgedLog().write(entries, sealedAt: UInt64(count - 2))
        for command in [["export", "-o", longer.url.appending(path: "x").path], ["trends"]] {
            let run = try AuditedLedger.run(
                program: AuditedLedger.daybook,
                command + ["--data", longer.url.path]
            )
            #expect(run.code == 1, "\(command)")
            #expect(
                run.errors.contains("nobody vouches for positions \(count - 2)..<\(count)"),
                "\(run.errors)"
            )
        }
    }

    @Test func `leave an earlier export where the ledger has less by now`() async throws {
        let entries = try await AuditedLedger(events: 300).entries()
        let file = try TemporaryFolder().url.appending(path: "nightly.ndjson")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        let note = URL(filePath: file.path + Export.checkpointSuffix)
        func export(_ entries: [[UInt8]]) throws -> (code: Int32, errors: String) {
            let ledger = try ForgedLog().write(entries)
            let run = try AuditedLedger.run(
                "export",
                "--data",
                ledger.url.path,
                "-o",
                file.path
            )
            return (run.code, run.errors)
        }
        #expect(try export(entries.dropLast(100)).code == 0)
        #expect(try export(entries).code == 0, "more replaces less")
        let whole = try (Data(contentsOf: file), Data(contentsOf: note))
        // Its own checkpoints were cut off with it, so that nothing in the ledger tells.
        let cut = try export(entries.dropLast(5))
        #expect(cut.code == 1)
        #expect(
            cut.errors.contains("positions \(entries.count - 5)..<\(entries.count) are lost"),
            "\(cut.errors)"
        )
        #expect(try Data(contentsOf: file) == whole.0)
        #expect(try Data(contentsOf: note) == whole.1)
        let left = try String(contentsOfFile: file.path + Export.damagedSuffix, encoding: .utf8)
        #expect(left.split(separator: "\n").count == entries.count - 5)
    }

    @Test(arguments: ["garbage", "edited", "swapped", "with a line end"])
    func `leave an earlier export where an entry is by now`(change: String) async throws {
        let entries = try await AuditedLedger(events: 300).entries()
        let file = try TemporaryFolder().url.appending(path: "nightly.ndjson")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        let names = [file.path, file.path + Export.checkpointSuffix]
        let whole = try ForgedLog().write(entries)
        let first = try AuditedLedger.run("export", "--data", whole.url.path, "-o", file.path)
        #expect(first.code == 0, "\(first.errors)")
        let kept = try names.map { try Data(contentsOf: URL(filePath: $0)) }
        var changed = entries
        switch change {
        case "garbage": changed[40] = [UInt8]("garbage".utf8)
        case "edited":
            changed[40] = changed[40].replacing("\"org\":\"main\"", with: "\"org\":\"pain\"")
        case "swapped": changed.swapAt(40, 41)
        default: changed[40].append(UInt8(ascii: "\n"))
        }
        // Signed with the ledger's own key: nothing in the ledger tells of an edit that keeps the form.
        let damaged = try ForgedLog().write(changed)
        let run = try AuditedLedger.run("export", "--data", damaged.url.path, "-o", file.path)
        #expect(run.code == 1)
        let told =
            change == "edited"
            ? "the first \(entries.count) entries are not those" : "log position 40: "
        #expect(run.errors.contains(told), "\(run.errors)")
        #expect(try names.map { try Data(contentsOf: URL(filePath: $0)) } == kept)
        let left = try Data(contentsOf: URL(filePath: file.path + Export.damagedSuffix))
        #expect(left == Data(changed.flatMap { $0 + [UInt8(ascii: "\n")] }))
    }

    @Test func `give no lines their name that are not those that were signed`() async throws {
        let ledger = try await AuditedLedger(events: 300)
        // One whose last digit has a neighbour, so that it stays an id wherever it stands.
        let ids = try ledger.entries().dropFirst(40).map { "\(try Entry(parsing: $0).envelope.id)" }
        let id = Data(try #require(ids.first { $0.last != "a" && $0.last != "f" }).utf8)
        let log = ledger.url.appending(path: "log/data.mdb")
        var bytes = try Data(contentsOf: log)
        // Also in pages that are no longer used.
        while let place = bytes.range(of: id) { bytes[place.upperBound - 1] ^= 1 }
        try bytes.write(to: log)
        let file = ledger.url.appending(path: "all.jsonl")
        let run = try AuditedLedger.run("export", "--data", ledger.url.path, "-o", file.path)
        #expect(run.code == 1)
        #expect(run.errors.contains("entries are not those that were signed"), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: file.path))
        #expect(FileManager.default.fileExists(atPath: file.path + Export.damagedSuffix))
    }

    @Test func `say that an export is half of one, and leave what was there before`() async throws {
        let ledger = try await AuditedLedger(events: 300)
        let file = ledger.url.appending(path: "all.jsonl")
        try Data("older".utf8).write(to: file)
        let failed = try AuditedLedger.run(
            "export",
            "--data",
            ledger.url.appending(path: "nothing").path,
            "-o",
            file.path
        )
        #expect(failed.code == 2)
        #expect(try String(contentsOf: file, encoding: .utf8) == "older")
        _ = try AuditedLedger.run("export", "--data", ledger.url.path, "-o", file.path)
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        try Data((lines.dropLast(9).joined(separator: "\n") + "\n").utf8).write(to: file)
        let report = try await Verify.exportedFile(at: file, options: AuditedLedger.options)
        #expect(report.verdict == .damage)
        #expect(report.findings.contains { $0.fact.contains("are lost") }, "\(report.text())")
        let fresh = try TemporaryFolder()
        let imported = try AuditedLedger.run("import", "--data", fresh.url.path, file.path)
        #expect(imported.code == 2)
        #expect(imported.errors.contains("half an export"), "\(imported.errors)")
        var changed = lines.map(String.init)
        changed[7] = changed[7].replacing("\"org\":\"main\"", with: "\"org\":\"pain\"")
        try #require(changed[7] != lines[7])
        try Data((changed.joined(separator: "\n") + "\n").utf8).write(to: file)
        let other = try TemporaryFolder()
        let edited = try AuditedLedger.run("import", "--data", other.url.path, file.path)
        #expect(edited.code == 2)
        #expect(edited.errors.contains("is not what was exported"), "\(edited.errors)")
    }

    @Test(arguments: ["its id", "its command"])
    func `refuse an entry that repeats`(what: String) async throws {
        var entries = try await AuditedLedger(events: 200).entries()
        let first = try Entry(parsing: entries[0]).envelope
        let last = try Entry(parsing: entries[150]).envelope
        if what == "its id" {
            entries[150] = entries[150].replacing(
                "\"id\":\"\(last.id)\",\"o",
                with: "\"id\":\"\(first.id)\",\"o"
            )
        } else {
            let (old, new) = ("\(last.command)", "\(first.command)")
            entries[150] = entries[150]
                .replacing("\"actor\":\"\(last.actor)\"", with: "\"actor\":\"\(first.actor)\"")
                .replacing("\"commandid\":\"\(old)\"", with: "\"commandid\":\"\(new)\"")
        }
        var lines = entries[...]
        let folder = try TemporaryFolder()
        let refusal = try #require(throws: EventLogError.self) {
            try EventLog.restore(into: folder.url) { lines.popFirst() }
        }
        #expect("\(refusal)".contains(what), "\(refusal)")
    }

    @Test(arguments: ["changed", "swapped", "cut"])
    func `keep nothing of a file that was`(change: String) async throws {
        let entries = try await AuditedLedger(events: 300).entries()
        let folder = try TemporaryFolder()
        var lines = entries.map { $0 + [UInt8(ascii: "\n")] }
        switch change {
        case "changed":
            lines[90] = lines[90].replacing("\"org\":\"main\"", with: "\"org\":\"ma/in\"")
        case "swapped": lines.swapAt(10, 11)
        default: lines[299].removeLast(5)
        }
        let file = folder.url.appending(path: "all.jsonl")
        try Data(lines.joined()).write(to: file)
        let target = folder.url.appending(path: "ledger")
        #expect(throws: (any Error).self) { try Import.file(file.path, into: target) }
        #expect(!FileManager.default.fileExists(atPath: target.appending(path: "log").path))
        #expect(
            !FileManager.default.fileExists(atPath: target.appending(path: "log.restoring").path)
        )
    }
}
