// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Foundation
import Testing

@Suite struct `Every kind of event` {
    private let keys = SeededKeys()

    private func bytes(_ event: Event) throws -> [UInt8] {
        try EventEncoder(keys: keys).encode(event.fact, id: event.id)
    }

    private func closed(_ event: Event) throws -> Fact {
        try EventDecoder().decode(bytes(event)[...], of: event.fact.kind, id: event.id)
    }

    private func events(_ count: Int) -> [Event] {
        var arbitrary = Arbitrary(seed: SeededGenerator.environmentSeed)
        return EventCatalog.current.written.flatMap { kind in
            (0..<count).compactMap { _ in
                Fact.arbitrary(of: kind, using: &arbitrary).map {
                    Event(id: arbitrary.id(), fact: $0)
                }
            }
        }
    }

    @Test func `is drawn, and none twice`() {
        var coverage = Coverage(ofKindsAnd: [])
        for event in events(1) { coverage.meet(event.fact) }
        #expect(coverage.missing == [], "\(coverage.table)")
    }

    /// Decode ∘ encode is the identity: on facts once they are sealed, on bytes always.
    @Test func `reads back as it was written`() throws {
        for event in events(40) {
            let written = try bytes(event)
            let read = try EventDecoder().decode(written[...], of: event.fact.kind, id: event.id)
            let again = try EventEncoder(keys: NoKeys()).encode(read, id: event.id)
            #expect(again == written, "\(event.fact.kind), \(repeatHint)")
            let readAgain = try EventDecoder().decode(again[...], of: event.fact.kind, id: event.id)
            #expect(readAgain == read, "\(event.fact.kind), \(repeatHint)")
        }
    }

    @Test func `is written canonically`() throws {
        for event in events(40) {
            let written = try bytes(event)
            try CanonicalJSON.check(written)
            #expect(try CanonicalJSON.canonicalise(written) == written)
        }
    }

    /// Foundation's encoder knows nothing of ours: what it writes, made canonical, must be the same bytes.
    @Test func `has the bytes that another encoder's output has in canonical form`() throws {
        func foundation(_ payload: some Encodable) throws -> [UInt8] {
            Array(try JSONEncoder().encode(payload))
        }
        for event in events(20) {
            let read = try closed(event)
            let written = try EventEncoder(keys: NoKeys()).encode(read, id: event.id)
            let other = try CanonicalJSON.canonicalise(foundation(read.payload))
            #expect(other == written, "\(event.fact.kind), \(repeatHint)")
        }
    }

    @Test func `opens to the values that were sealed, and to nothing without keys`() throws {
        for event in events(20) {
            let originals = openValues(in: event.fact)
            let fields = closedFields(in: try closed(event))
            #expect(originals.count == fields.count)
            for (original, field) in zip(originals, fields) {
                #expect(field.person == original.person)
                let key = try #require(keys.key(of: field.person))
                let plain = try field.plainBytes(
                    withFieldSecret: key.fieldSecret(event: field.event, pointer: field.pointer)
                )
                #expect(plain == original.json, "\(event.fact.kind), \(repeatHint)")
                #expect(try Sealed<String>.closed(field).opened(with: NoKeys()) == .erased)
            }
        }
    }

    /// Promise 5, as far as decoding goes: damage is reported or changes the value, and never stops the process.
    @Test func `survives any flipped bit, cut or added byte`() throws {
        var generator = SeededGenerator.fromEnvironment()
        for event in events(6) {
            let written = try bytes(event)
            for _ in 0..<60 {
                var damaged = written
                let place = Int.random(in: damaged.indices, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: damaged.removeSubrange(place...)
                case 1: damaged.insert(UInt8.random(in: 0...255, using: &generator), at: place)
                default: damaged[place] ^= 1 << Int.random(in: 0..<8, using: &generator)
                }
                do {
                    _ = try EventDecoder().decode(damaged[...], of: event.fact.kind, id: event.id)
                } catch {
                    #expect(!"\(error)".isEmpty)
                }
            }
        }
    }

    private var repeatHint: String { "DAYBOOK_SEED=\(SeededGenerator.environmentSeed)" }
}
