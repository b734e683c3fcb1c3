// SPDX-License-Identifier: Apache-2.0
import EventsTesting
import Foundation
import Testing

@testable import Events

/// The bytes of each kind, written once and never changed: `fixtures/events/<kind, with / as _>.json`.
@Suite struct `Golden bytes` {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "fixtures/events")
    private static let kinds = EventCatalog.current.rows.map(\.kind)
    private let keys = OneKey()

    /// An example for a new kind, drawn from a seed that is the kind's own.
    private func example(_ kind: Kind) throws -> Event {
        let seed = kind.text.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) {
            ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
        }
        var arbitrary = Arbitrary(seed: seed)
        let fact = try #require(Fact.arbitrary(of: kind, using: &arbitrary))
        return Event(id: arbitrary.id(), fact: fact)
    }

    private func file(_ kind: Kind) -> URL {
        Self.folder.appending(path: kind.text.replacing("/", with: "_") + ".json")
    }

    /// Run with `DAYBOOK_WRITE_GOLDEN=1` to write the files of kinds that have none yet; existing ones are never touched.
    @Test(
        .enabled(if: ProcessInfo.processInfo.environment["DAYBOOK_WRITE_GOLDEN"] == "1"),
        arguments: EventCatalog.current.written
    )
    func `are written for new kinds`(kind: Kind) throws {
        guard !FileManager.default.fileExists(atPath: file(kind).path) else { return }
        let event = try example(kind)
        let data = try EventEncoder(keys: keys, nonces: .fromPlace).encode(event.fact, id: event.id)
        let head = Array("{\"data\":".utf8)
        let tail = Array(",\"id\":\"\(event.id)\",\"type\":\"\(kind)\"}\n".utf8)
        try Data(head + data + tail).write(to: file(kind))
    }

    @Test(arguments: kinds)
    func `are what encoding gives and what decoding takes`(kind: Kind) throws {
        let stored = try Data(contentsOf: file(kind))
        let golden = try JSONDecoder().decode(Golden.self, from: stored)
        #expect(golden.type == kind)
        let tail = ",\"id\":\"\(golden.id)\",\"type\":\"\(kind)\"}\n"
        let data = Array(stored.dropFirst("{\"data\":".utf8.count).dropLast(tail.utf8.count))
        #expect(Array(stored) == Array("{\"data\":".utf8) + data + Array(tail.utf8))
        try CanonicalJSON.check(data)

        let read = try EventDecoder().decode(data[...], of: kind, id: golden.id)
        // What is no more written reads as its successor, and has that one's bytes.
        if EventCatalog.current[kind]?.isRetired == false {
            #expect(try EventEncoder(keys: NoKeys()).encode(read, id: golden.id) == data)
        }

        let sealer = FieldSealer(event: golden.id, keys: keys, nonces: .fromPlace)
        for field in closedFields(in: read) {
            let secret = keys.key.fieldSecret(event: field.event, pointer: field.pointer)
            let plain = try field.plainBytes(withFieldSecret: secret)
            try CanonicalJSON.check(plain)
            #expect(
                try sealer.seal(plain, of: field.person, with: keys.key, pointer: field.pointer)
                    == field
            )
        }
    }

    /// An index holds the links as the program gave them when it was made: one that gives others must not go on with it.
    @Test(arguments: kinds)
    func `give the links by which an index is recognized`(kind: Kind) throws {
        let golden = try JSONDecoder().decode(Golden.self, from: Data(contentsOf: file(kind)))
        let stored = try Data(contentsOf: file(kind))
        let tail = ",\"id\":\"\(golden.id)\",\"type\":\"\(kind)\"}\n"
        let data = Array(stored.dropFirst("{\"data\":".utf8.count).dropLast(tail.utf8.count))
        let links = try EventDecoder().decode(data[...], of: kind, id: golden.id).links
        let digest = links.isEmpty ? 0 : LogIndex.digest(of: links)
        #expect(
            EventCatalog.current[kind]?.traits.linksDigest == digest,
            "in the row of \(kind): linksDigest: 0x\(String(digest, radix: 16))"
        )
    }

    @Test func `are kept for kinds that are no more written, too`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(files.count >= Self.kinds.count)
        for file in files {
            let name = file.replacing(".json", with: "")
            let version = try #require(name.lastIndex(of: "_"))
            let kind = try #require(
                Kind(name[..<version] + "/" + name[name.index(after: version)...])
            )
            #expect(
                EventCatalog.current[kind] != nil,
                "\(file) belongs to a kind that nobody can read any more"
            )
        }
    }
}

private struct Golden: Decodable {
    let id: EventID
    let type: Kind
}

/// Everybody has the key 00 01 02 … 1f.
private struct OneKey: PersonKeys {
    let key = PersonKey(bytes: Array(0..<32)).unsafelyUnwrapped

    func key(of person: PersonID) -> PersonKey? { key }
}
