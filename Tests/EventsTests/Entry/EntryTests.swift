// SPDX-License-Identifier: Apache-2.0
import EventsTesting
import Foundation
import TestSupport
import Testing

@testable import Events

/// Promise 5: what is stored reads back as it was written, and what was changed is noticed.
@Suite(.tags(.promise5)) struct `An entry` {
    static let text =
        #"{"actor":"operator/1","causationid":"0199a5d2-0000-7000-8000-000000000001","commandid":"c-1","correlationid":"incident/7","data":{"text":"a \",\"id\":\" trap"},"id":"0199a5d2-0000-7000-8000-000000000002","occurredat":"2026-11-21T13:11:00.000001Z","org":"main","position":"7","revision":"3","source":"daybook.example.org/main","specversion":"1.0","subject":"session/0199","time":"2026-11-21T13:11:00.000002Z","type":"session.created/1"}"#

    @Test func `shows every member of its envelope and its data`() throws {
        let entry = try Entry(parsing: Array(Self.text.utf8))
        let envelope = entry.envelope
        #expect(envelope.actor.text == "operator/1")
        #expect(envelope.causation?.description == "0199a5d2-0000-7000-8000-000000000001")
        #expect(envelope.command.text == "c-1")
        #expect(envelope.correlation == "incident/7")
        #expect(envelope.id.description == "0199a5d2-0000-7000-8000-000000000002")
        #expect(envelope.occurredAt?.description == "2026-11-21T13:11:00.000001Z")
        #expect(envelope.organisation == .main)
        #expect(envelope.position == LogPosition(7) && envelope.revision == Revision(3))
        #expect(envelope.source == "daybook.example.org/main")
        #expect(envelope.subject.text == "session/0199" && envelope.kind == "session.created/1")
        #expect(String(decoding: entry.data, as: UTF8.self) == #"{"text":"a \",\"id\":\" trap"}"#)
    }

    @Test func `has room behind its data for the longest names of every kind`() throws {
        for kind in EventCatalog.current.rows.map(\.kind) {
            let tail = EntryTail(
                position: LogPosition(.max),
                revision: Revision(.max),
                source: String(repeating: "o", count: EventLimits.originBytesMax),
                subject: Subject(
                    unchecked: String(repeating: "s", count: EventLimits.nameBytesMax)
                ),
                time: Timestamp(microseconds: 0),
                kind: kind
            )
            let names = [tail.source, tail.subject.text, kind.text].map(\.utf8.count).reduce(0, +)
            #expect(tail.bytes.count == EntryTail.bytesMax(names: names))
            #expect(tail.bytes.count <= EventLimits.tailBytesMax, "\(kind)")
        }
    }

    @Test func `may say what its command asked, before that one's id`() throws {
        let hash = "AAECAwQFBgcICQoLDA0ODxAR"
        let member = "\"commandhash\":\"\(hash)\","
        let text = Self.text.replacing("\"commandid\"", with: member + "\"commandid\"")
        let entry = try Entry(parsing: Array(text.utf8))
        #expect(entry.envelope.commandHash?.text == hash && entry.envelope.command.text == "c-1")
        #expect(entry.envelope.printed(around: entry.data) == Array(text.utf8))
        #expect(try Entry(parsing: Array(Self.text.utf8)).envelope.commandHash == nil)
        for wrong in [
            text.replacing(hash, with: hash.dropLast()),
            text.replacing(hash, with: hash.replacing("A", with: "+")),
            Self.text.replacing("\"data\":", with: member + "\"data\":"),
        ] {
            #expect(throws: EntryError.self) { try Entry(parsing: Array(wrong.utf8)) }
        }
    }

    @Test func `cut anywhere is no entry`() {
        let bytes = Array(Self.text.utf8)
        for count in 0..<bytes.count {
            #expect(throws: EntryError.self) { try Entry(parsing: Array(bytes[..<count])) }
        }
        for count in 1...bytes.count {
            #expect(throws: EntryError.self) { try Entry(parsing: Array(bytes[count...])) }
        }
    }

    /// Each would read as the same or nearly the same event, and hash otherwise.
    @Test(arguments: [
        ("13:11:00.000002Z", "13:11:00.00000Z"), ("13:11:00.000002Z", "13:11:00Z"),
        ("T13:11:00.000001Z", " 13:11:00.000001Z"), ("example.org/main", "example.org\\/main"),
        ("example.org/main", "example.org/mäin"),
        ("\"source\":\"daybook.example.org/main", "\"source\":\""),
        ("incident/7", "incident//7"), ("incident/7", "incident/\u{1}7"), ("\"7\"", "\"07\""),
    ])
    func `has one spelling`(right: String, wrong: String) {
        let text = Self.text.replacing(right, with: wrong)
        #expect(text != Self.text)
        #expect(throws: EntryError.self) { try Entry(parsing: Array(text.utf8)) }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `with changed bytes is refused or says something else, and never stops the program`(
        seed: UInt64
    ) {
        var chance = SeededGenerator(seed: seed)
        let original = Array(Self.text.utf8)
        for _ in 0..<5_000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &chance) {
                bytes[Int.random(in: bytes.indices, using: &chance)] = UInt8.random(
                    in: 0...255,
                    using: &chance
                )
            }
            guard bytes != original, let entry = try? Entry(parsing: bytes) else { continue }
            #expect(entry.leafHash != MerkleHash.leaf(original))
        }
    }
}
