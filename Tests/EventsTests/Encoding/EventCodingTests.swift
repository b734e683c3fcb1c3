// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Testing

@Suite struct `An event's data` {
    private static func id<Named>(_ number: UInt64) -> Identifier<Named> {
        var generator = SeededGenerator(seed: number)
        return Identifier(at: Timestamp(microseconds: 1_795_266_660_000_000), using: &generator)
    }

    private let event: EventID = id(1)
    private let caller: PersonID = id(2)
    private let keys: [PersonID: PersonKey]

    init() throws {
        var generator = SeededGenerator(seed: 3)
        keys = [caller: PersonKey(using: &generator)]
    }

    private var fact: Fact {
        get throws {
            .session(
                .created(
                    SessionCreated(
                        incident: Self.id(4),
                        caller: caller,
                        phone: .open(try #require(PhoneNumber("+40 722 123 456")), of: caller),
                        channel: .video,
                        openedBy: .operator,
                        openedByUser: UserID("123456789"),
                        startLimitSeconds: 120,
                        expiresAt: Timestamp(microseconds: 1_795_266_780_000_001)
                    )
                )
            )
        }
    }

    @Test func `with a number that other readers would round is refused`() {
        let text = #"{"cause":"x","fromMilliseconds":9007199254740992,"toMilliseconds":1}"#
        #expect(throws: EventDecodingError.self) {
            try EventDecoder().decode(Array(text.utf8)[...], of: StreamGapDetected.kind, id: event)
        }
    }

    @Test func `is canonical, sealed, and reads back closed`() throws {
        let bytes = try EventEncoder(keys: keys).encode(fact, id: event)
        try CanonicalJSON.check(bytes)
        #expect(!String(decoding: bytes, as: UTF8.self).contains("722"))
        let read = try EventDecoder().decode(bytes[...], of: "session.created/1", id: event)
        guard case .session(.created(let created)) = read, case .closed(let field)? = created.phone
        else {
            Issue.record("no closed phone in \(read)")
            return
        }
        #expect(field.person == caller)
        #expect(field.pointer == "/phone")
        #expect(field.event == event)
        #expect(try created.phone?.opened(with: keys).value?.text == "+40722123456")
        #expect(try created.phone?.opened(with: NoKeys()) == .erased)
        #expect(created.startLimitSeconds == 120)
        #expect(try EventEncoder(keys: NoKeys()).encode(read, id: event) == bytes)
    }

    @Test func `is refused when the person has no key`() throws {
        let refusal = #expect(throws: EventEncodingError.self) {
            try EventEncoder(keys: NoKeys()).encode(fact, id: event)
        }
        #expect(refusal?.cause == .noKey(caller, pointer: "/phone"))
    }

    @Test func `is refused with a field sealed for another event`() throws {
        let bytes = try EventEncoder(keys: keys).encode(fact, id: event)
        let read = try EventDecoder().decode(bytes[...], of: "session.created/1", id: event)
        let refusal = #expect(throws: EventEncodingError.self) {
            try EventEncoder(keys: keys).encode(read, id: Self.id(9))
        }
        guard case .sealedElsewhere? = refusal?.cause else {
            Issue.record("refused for another reason: \(String(describing: refusal))")
            return
        }
    }

    @Test func `of a kind that is not known is refused by its name`() {
        #expect(
            throws: EventDecodingError.unknownKind("session.teleported/1", event: event, at: nil)
        ) {
            try EventDecoder().decode(Array("{}".utf8)[...], of: "session.teleported/1", id: event)
        }
    }

    @Test(
        arguments: [
            (#"{}"#, ""), (#"{"owner":1}"#, "/owner"), (#"{"owner":"a/b"}"#, "/owner"),
            (#"[]"#, ""), ("", ""),
            (#"{"owner":"x""#, ""), (#"{"owner":null}"#, "/owner"),
        ]
    )
    func `of another shape is refused with its place`(text: String, pointer: String) {
        let refusal = #expect(throws: EventDecodingError.self) {
            try EventDecoder().decode(Array(text.utf8)[...], of: "session.claimed/1", id: event)
        }
        guard case .malformed(_, _, _, let found, _)? = refusal else {
            Issue.record("refused for another reason: \(String(describing: refusal))")
            return
        }
        #expect(found == pointer)
    }
}
