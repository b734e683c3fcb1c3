// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Foundation
import TestSupport
import Testing

@Suite(.tags(.promise7)) struct `A sealed field` {
    private let event: EventID
    private let person: PersonID
    private let key: PersonKey

    init() throws {
        event = try #require(EventID("01935d2a-7c00-7abc-8def-0123456789ab"))
        person = try #require(PersonID("01935d2a-7c00-7000-8000-000000000001"))
        key = try #require(PersonKey(bytes: Array(0..<32)))
    }

    private func field(_ text: String, nonces: NonceSource = .random) throws -> SealedField {
        let fact = Fact.session(
            .closed(
                SessionClosed(
                    caller: person,
                    by: .operator,
                    disposition: "handled",
                    note: .open(text, of: person)
                )
            )
        )
        let bytes = try EventEncoder(keys: [person: key], nonces: nonces).encode(fact, id: event)
        let read = try EventDecoder().decode(bytes[...], of: fact.kind, id: event)
        guard case .session(.closed(let closed)) = read, case .closed(let field)? = closed.note
        else {
            throw CocoaError(.coderReadCorrupt)
        }
        return field
    }

    @Test func `opens with its person's key`() throws {
        let sealed = Sealed<String>.closed(try field("Grüße 👋"))
        #expect(try sealed.opened(with: [person: key]) == .value("Grüße 👋"))
    }

    @Test func `is erased without the key`() throws {
        let sealed = Sealed<String>.closed(try field("x"))
        #expect(try sealed.opened(with: NoKeys()) == .erased)
        #expect(try sealed.opened(with: [PersonID: PersonKey]()).value == nil)
    }

    @Test func `opens with its own secret, and no other field does`() throws {
        let first = try field("one")
        let secret = key.fieldSecret(event: event, pointer: "/note")
        let disclosed = try #require(FieldSecret("\(secret)"))
        #expect(try first.opened(as: String.self, withFieldSecret: disclosed) == "one")

        let elsewhere = [
            key.fieldSecret(event: event, pointer: "/notes"),
            key.fieldSecret(
                event: try #require(EventID("01935d2a-7c00-7abc-8def-0123456789ac")),
                pointer: "/note"
            ),
            PersonKey.random().fieldSecret(event: event, pointer: "/note"),
        ]
        for other in elsewhere {
            #expect(throws: SealingError.otherSecret(first)) {
                try first.opened(as: String.self, withFieldSecret: other)
            }
        }
    }

    /// Computed with Python's `hmac` and `cryptography`, apart from this code.
    @Test func `has the bytes that the format says`() throws {
        let secret = key.fieldSecret(event: event, pointer: "/note")
        #expect("\(secret)" == "zqEgAUGmfF76aEe06VnOx_DHzL5fDCZjRWOZkTjbArk")
        let field = try field("Hello", nonces: .fromPlace)
        #expect(
            field.text
                == "01935d2a-7c00-7000-8000-000000000001.dkpJmjpDxM72WzrmP3g46YBpZZkthKJCbFCq10OCEsCWEXiNCxIRxTmaRG9-pSEvXqeVjc2ixQ35Pd0pbaUyeVbd0g"
        )
    }

    @Test func `notices every flipped bit of its box`() throws {
        let field = try field("secret")
        let box = Array(field.box.utf8)
        for index in box.indices {
            for bit in 0..<7 {
                var flipped = box
                flipped[index] ^= 1 << bit
                let damaged = SealedField(
                    person: person,
                    event: event,
                    pointer: "/note",
                    box: String(decoding: flipped, as: UTF8.self)
                )
                #expect(throws: SealingError.self) {
                    try Sealed<String>.closed(damaged).opened(with: [person: key])
                }
            }
        }
    }

    @Test func `tells what is inside when it is of another type`() throws {
        let field = try field("text")
        let refusal = #expect(throws: SealingError.self) {
            try Sealed<Fix>.closed(field).opened(with: [person: key])
        }
        guard case .unreadable? = refusal else {
            Issue.record("refused for another reason: \(String(describing: refusal))")
            return
        }
    }

    @Test func `differs each time it is sealed, unless its nonce comes from its place`() throws {
        #expect(try field("same").box != field("same").box)
        #expect(try field("same", nonces: .fromPlace) == field("same", nonces: .fromPlace))
    }

    @Test func `goes into one column and back`() throws {
        let field = try field("x")
        #expect(SealedField(storedText: field.storedText) == field)
        let odd = SealedField(person: person, event: event, pointer: "/a b/~1c", box: "AA")
        #expect(SealedField(storedText: odd.storedText) == odd)
        for text in ["", "x", "\(event)", "\(event) \(person)", "\(event) \(person). "] {
            #expect(SealedField(storedText: text)?.box ?? "" == "")
        }
    }

    @Test func `is not read from anything but its wire form`() {
        for text in [
            #"{}"#, #"{"sealed":1}"#, #"{"sealed":"x.y"}"#, #"{"sealed":"\#(person)"}"#,
            #"{"sealed":"\#(person).a=b"}"#, #"{"open":1,"sealed":"\#(person).AA"}"#,
            #""\#(person).AA""#,
        ] {
            let data =
                #"{"by":"operator","caller":"\#(person)","disposition":"x","note":\#(text)}"#
            #expect(throws: EventDecodingError.self) {
                try EventDecoder().decode(Array(data.utf8)[...], of: "session.closed/1", id: event)
            }
        }
    }
}
