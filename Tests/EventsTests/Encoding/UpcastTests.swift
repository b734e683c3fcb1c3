// SPDX-License-Identifier: Apache-2.0
import EventsTesting
import Testing

@testable import Events

/// How a claim might have been written before `session.claimed/1`, and before that.
private struct ClaimSecond: RetiredPayload {
    static let row = EventKind<ClaimSecond>(lifting: "session.taken/2")

    let operatorID: UserID
    let note: Sealed<String>?

    var lifted: SessionClosed {
        SessionClosed(
            caller: note?.person ?? PersonID(UUIDv7(high: 0x7000, low: 1 << 63)),
            by: .operator,
            owner: operatorID,
            disposition: "taken",
            note: note
        )
    }
}

private struct ClaimFirst: RetiredPayload {
    static let row = EventKind<ClaimFirst>(lifting: "session.taken/1")

    let by: String
    let note: Sealed<String>?

    var lifted: ClaimSecond { ClaimSecond(operatorID: UserID(unchecked: by), note: note) }
}

@Suite struct `An old kind` {
    private let decoder = EventDecoder(
        catalog: EventCatalog([SessionClosed.self, ClaimSecond.self, ClaimFirst.self])
    )
    private let event: EventID
    private let person: PersonID
    private let keys = SeededKeys()

    init() {
        var arbitrary = Arbitrary(seed: 1)
        event = arbitrary.id()
        person = arbitrary.person()
    }

    private func written(_ payload: some EventPayload) throws -> [UInt8] {
        let encoding = CanonicalEncoding(
            sealer: FieldSealer(event: event, keys: keys, nonces: .random)
        )
        try encoding.run(payload)
        return encoding.writer.bytes
    }

    @Test func `one step behind is read in the current shape`() throws {
        let bytes = try written(ClaimSecond(operatorID: UserID(unchecked: "7"), note: nil))
        let fact = try decoder.decode(bytes[...], of: ClaimSecond.kind, id: event)
        guard case .session(.closed(let closed)) = fact else {
            Issue.record("read as \(fact)")
            return
        }
        #expect(closed.owner?.text == "7")
    }

    @Test func `two steps behind is lifted twice, and its sealed field still opens`() throws {
        let bytes = try written(ClaimFirst(by: "7", note: .open("hello", of: person)))
        let fact = try decoder.decode(bytes[...], of: ClaimFirst.kind, id: event)
        guard case .session(.closed(let closed)) = fact else {
            Issue.record("read as \(fact)")
            return
        }
        #expect(closed.owner?.text == "7")
        #expect(closed.caller == person)
        #expect(try closed.note?.opened(with: keys) == .value("hello"))
    }

    @Test func `is not known to a catalog without its row`() {
        #expect(throws: EventDecodingError.unknownKind(ClaimFirst.kind, event: event, at: nil)) {
            try EventDecoder().decode(Array("{}".utf8)[...], of: ClaimFirst.kind, id: event)
        }
    }
}
