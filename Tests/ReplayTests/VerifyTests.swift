// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Foundation
import Replay
import TestSupport
import Testing

/// Promise 5: nothing changes, and whatever does is found.
@Suite(.tags(.promise5)) struct `Verifying a ledger` {
    @Test func `finds a whole one sound and proves all of it`() async throws {
        let ledger = try await AuditedLedger(events: 3_000)
        let report = try await ledger.verify()
        let entries = try ledger.entries()
        #expect(report.verdict.isSound, "\(report.text())")
        #expect(report.size == UInt64(entries.count))
        #expect(report.provedSize == report.size)
        #expect(report.root == MerkleTree.rootHex(entries))
    }

    /// Entries of one ledger, for cases that need only the first of them.
    private static let many = Task { try await AuditedLedger(events: 2_700).entries() }

    @Test(arguments: [0, 1, 255, 256, 257, 511, 1_023, 1_024, 1_025, 2_600])
    func `agrees with the tree at any size`(count: Int) async throws {
        let entries = try await Self.many.value.prefix(count)
        let report = try await ForgedLog().write(Array(entries)).verify { $0.isQuick = true }
        // A gateway that wrote nothing yet has proved nothing, either.
        let isAsPromised = count == 0 ? report.verdict == .unproved : report.verdict.isSound
        #expect(isAsPromised, "\(report.text())")
        #expect(report.root == MerkleTree.rootHex(Array(entries)))
    }

    @Test func `names the entry that was changed in a ledger rebuilt around it`() async throws {
        let ledger = try await AuditedLedger(events: 600)
        let saved = ledger.url.appending(path: "checkpoint")
        var entries = try ledger.entries()
        let victim = 301
        let kind = String(decoding: entries[victim], as: UTF8.self)
        entries[victim] = entries[victim].replacing(
            "\"actor\":\"",
            with: "\"actor\":\"x"
        )
        #expect(kind != String(decoding: entries[victim], as: UTF8.self))
        let forged = try ForgedLog().write(entries)
        #expect(try await forged.verify().verdict.isSound)
        let report = try await forged.verify { $0.against = [saved] }
        #expect(report.verdict == .damage)
        #expect(
            report.findings.contains {
                $0.place == "checkpoint" && $0.fact.contains("are not those that were signed")
            },
            "\(report.text())"
        )
    }

    @Test(arguments: ["removed", "reordered", "cut off"])
    func `finds an entry that was`(change: String) async throws {
        let ledger = try await AuditedLedger(events: 600)
        let saved = ledger.url.appending(path: "checkpoint")
        var entries = try ledger.entries()
        switch change {
        case "removed": entries.remove(at: 200)
        case "reordered": entries.swapAt(200, 201)
        default: entries.removeLast(7)
        }
        let forged = try ForgedLog().write(entries)
        let report = try await forged.verify { $0.against = [saved] }
        #expect(report.verdict == .damage)
        if change == "cut off" {
            #expect(report.findings.contains { $0.fact.contains("are lost") }, "\(report.text())")
        } else {
            #expect(report.findings.contains { $0.position == 200 }, "\(report.text())")
        }
    }

    @Test func `finds a gap and says that nothing behind it was checked`() async throws {
        let entries = try await AuditedLedger(events: 300).entries()
        let numbered = zip(UInt64(0)..., entries).filter { $0.0 != 77 }.map { ($0.0, $0.1) }
        let report = try await ForgedLog().write(numbered, checkpoint: false).verify()
        #expect(report.findings.contains { $0.position == 77 && $0.fact.contains("missing") })
    }

    /// What is wrong with an entry by itself, or beside the ones before it.
    @Test(arguments: [
        ("\"specversion\":\"1.0\"", "\"specversion\":\"1.1\"", "specversion"),
        ("\"org\":\"main\"", "\"org\":\"ma in\"", "org"),
        ("\"source\":\"daybook.", "\"source\":\"sandbook.", "source"),
        ("\"time\":\"2026", "\"time\":\"2025", "before that of the entry before it"),
        ("\"revision\":\"", "\"revision\":\"9", "its revision is"),
        ("\"position\":\"", "\"position\":\"1", "it says that its position is"),
        ("\"data\":{", "\"data\":{ ", ""),
        ("\"type\":\"", "\"type\":\"un", "unkn"),
    ])
    func `finds`(old: String, new: String, fact: String) async throws {
        var entries = try await AuditedLedger(events: 200).entries()
        // What an event says may have a member of the same name, and stands before the envelope's.
        let place = try #require(
            entries.indices.dropFirst(150).first {
                String(decoding: entries[$0], as: UTF8.self).ranges(of: old).count == 1
            }
        )
        entries[place] = entries[place].replacing(old, with: new)
        let report = try await ForgedLog().write(entries).verify()
        #expect(
            report.findings.contains {
                $0.position == UInt64(place) && $0.severity == .damage
                    && (fact.isEmpty || $0.fact.localizedCaseInsensitiveContains(fact)
                        || fact == "unkn")
            },
            "\(report.text())"
        )
    }

    /// Numbers that no recording has, in events that say where its bytes are.
    @Test(arguments: [
        ("stream.chunk_archived/1", "\"length\":", "\"length\":-"),
        ("stream.chunk_archived/1", "\"offset\":", "\"offset\":-9"),
        ("stream.finalized/1", "\"bytes\":", "\"bytes\":-"),
    ])
    func `finds a recording`(kind: String, whose old: String, is new: String) async throws {
        var entries = try await AuditedLedger(events: 3_000).entries()
        let victim = try #require(
            entries.firstIndex { String(decoding: $0, as: UTF8.self).contains(kind) }
        )
        entries[victim] = entries[victim].replacing(old, with: new)
        let ledger = try ForgedLog().write(entries)
        try FileManager.default.createDirectory(
            at: ledger.url.appending(path: "media"),
            withIntermediateDirectories: true
        )
        let report = try await ledger.verify()
        #expect(
            report.findings.contains { $0.position == UInt64(victim) && $0.fact.contains("data") },
            "\(report.text())"
        )
    }

    @Test func `finds an id and a command that were used twice`() async throws {
        var entries = try await AuditedLedger(events: 200).entries()
        let first = try Entry(parsing: entries[0]).envelope
        let last = try Entry(parsing: entries[150]).envelope
        entries[150] = entries[150].replacing(
            "\"id\":\"\(last.id)\",\"o",
            with: "\"id\":\"\(first.id)\",\"o"
        )
        .replacing("\"actor\":\"\(last.actor)\"", with: "\"actor\":\"\(first.actor)\"")
        .replacing("\"commandid\":\"\(last.command)\"", with: "\"commandid\":\"\(first.command)\"")
        let facts = try await ForgedLog().write(entries).verify().findings
            .filter { $0.position == 150 }.map(\.fact)
        #expect(facts.contains { $0.contains("id was used before") }, "\(facts)")
        #expect(facts.contains { $0.contains("command of the same actor") }, "\(facts)")
    }

    @Test func `finds a checkpoint signed by another key`() async throws {
        let ledger = try await AuditedLedger(events: 100)
        let other = try NoteSigner(
            name: AuditedLedger.origin,
            seed: [UInt8](repeating: 9, count: 32)
        )
        let report = try await ledger.verify { $0.vkeys = [other.verifier.vkey] }
        #expect(
            report.findings.contains { $0.place.contains("checkpoint") && $0.severity == .damage }
        )
    }

    @Test func `says who was erased, and finds who cannot be read and was not erased`()
        async throws
    {
        let keys = SeededKeys()
        let ledger = try await AuditedLedger(events: 4_000, keys: keys)
        let open = try await ledger.verify { $0.keys = keys }
        let erasures = try ledger.entries().map { try Entry(parsing: $0) }
            .filter { $0.envelope.kind == PersonErased.kind }
        #expect(open.erased.count == Set(erasures.map(\.envelope.subject)).count)
        for erased in open.erased {
            if let person = PersonID(erased.person) { keys.destroy(person) }
        }
        let report = try await ledger.verify { $0.keys = keys }
        #expect(report.verdict.isSound, "\(report.text())")
        let lost = try await ledger.verify { $0.keys = [PersonID: PersonKey]() }
        #expect(
            lost.findings.contains {
                $0.place == "keys" && $0.fact.contains("no event erased them")
            }
        )
    }

    @Test func `can be repeated on an exported file`() async throws {
        let ledger = try await AuditedLedger(events: 1_500)
        let file = ledger.url.appending(path: "all.jsonl")
        let exported = try AuditedLedger.run("export", "--data", ledger.url.path, "-o", file.path)
        #expect(exported.code == 0, "\(exported.errors)")
        var options = try AuditedLedger.options
        let lone = try await Verify.exportedFile(at: file, options: options)
        #expect(lone.verdict == .unproved, "\(lone.text())")
        options.vkeys = [ledger.signer.verifier.vkey]
        let report = try await Verify.exportedFile(at: file, options: options)
        #expect(report.verdict.isSound, "\(report.text())")
        #expect(try await report.root == ledger.verify().root)
    }
}

extension MerkleTree {
    static func rootHex(_ entries: [[UInt8]]) -> String? {
        (try? MerkleTree(leaves: entries.map { MerkleHash.leaf($0) }).root())?.hex
    }
}
