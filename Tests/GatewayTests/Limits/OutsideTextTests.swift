// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import Hummingbird
import Synchronization
import TestSupport
import Testing

@testable import Gateway

/// Bytes that count how often one is taken.
private struct CountedBytes: Sequence, IteratorProtocol {
    final class Count: Sendable {
        let taken = Mutex(0)
    }

    let count = Count()
    var rest: ArraySlice<UInt8>

    init(_ bytes: some Sequence<UInt8>) {
        rest = Array(bytes)[...]
    }

    mutating func next() -> UInt8? {
        count.taken.withLock { $0 += 1 }
        return rest.popFirst()
    }
}

/// Two marks by turns, which a normal form has in another order.
private func marks(_ count: Int, escaped: Bool = false) -> String {
    (0..<count).map { index in
        switch (index % 2, escaped) {
        case (0, false): "\u{301}"
        case (_, false): "\u{323}"
        case (0, true): #"\u0301"#
        case (_, true): #"\u0323"#
        }
    }.joined()
}

@Suite(.tags(.promise10)) struct `Marks in a row` {
    private func longest(_ text: String, _ escapes: MarkRuns.Escapes) -> Int {
        var runs = MarkRuns(escapes)
        for byte in text.utf8 { runs.take(byte) }
        return runs.longest
    }

    @Test(arguments: [
        ("", 0), ("plain", 0), ("e\u{301}", 1), ("a" + marks(31), 31), ("\u{E9}", 0),
        ("a" + marks(20) + "b" + marks(21), 21), (#"a\u0301\u0323"#, 2), ("a\\u0301\u{323}", 2),
        (#"a\u0301\\u0323"#, 1), (#"a\\u0301"#, 0), (#"\n\u0301"#, 1), (#"\u0301\n\u0301"#, 1),
        (#"\uD834\uDD65\uD834\uDD6D"#, 2), ("\u{1D165}\u{1D16D}", 2), (#"\uD834\u0301"#, 1),
        (#"\uDD65\u0301"#, 1), (#"\u03"01"#, 0), ("\u{F73}\u{F75}\u{F81}\u{344}", 8),
        ("\u{200D}\u{FE0F}\u{20DD}\u{1F3FD}", 0), ("%CC%81", 0),
    ])
    func `count as what JSON makes of them`(_ text: String, _ count: Int) {
        #expect(longest(text, .json) == count)
    }

    @Test(arguments: [
        ("%CC%81%cc%a3", 2), ("%CC\u{301}", 1), ("a%CC%81+%CC%81", 1), ("%CC%8", 0),
        ("%CC%%81", 0), ("%E0%BD%B3", 2), (#"\u0301"#, 0), ("\u{301}%CC%81", 2),
    ])
    func `count as what an address makes of them`(_ text: String, _ count: Int) {
        #expect(longest(text, .percent) == count)
    }

    @Test func `are all that Unicode has`() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            // What is no mark, and does not become several, needs no looking up.
            let parts = Array(
                String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars
            )
            let isMark = parts.first?.properties.canonicalCombiningClass != .notReordered
            let known = MarkRuns.marks(in: scalar)
            if known != (isMark ? parts.count : 0) { Issue.record("U+\(String(value, radix: 16))") }
        }
    }

    @Test(
        arguments: [
            [0xCC], [0x81], [0xC0, 0x81], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80],
            [0xE0, 0x80, 0x80], [0xCC, 0x22], [0xFF, 0xFE, 0x22, 0x00], [0x22, 0x00],
        ] as [[UInt8]]
    )
    func `stand in no text that is not UTF-8`(_ bytes: [UInt8]) {
        var runs = MarkRuns(.json)
        for byte in bytes { runs.take(byte) }
        #expect(!runs.isText)
        #expect(!OutsideText.isSound(json: bytes))
    }
}

@Suite(.tags(.promise10)) struct `A text from outside` {
    private struct Said: Codable {
        let text: String
    }

    /// What people write, and as much above a letter as ever passes.
    private static let said = [
        "Tie\u{302}\u{301}ng Vie\u{323}\u{302}t", "Tiếng Việt", "मुझे मदद चाहिए, क्षेत्र", "ช่วยด้วย น้ำท่วม ที่นี่",
        "שָׁלוֹם עֲלֵיכֶם", "السَّلَامُ عَلَيْكُمْ", "བོད་སྐད་ཀྱི་རྒྱུན", "한국어", "👩🏽‍🚒👨‍👩‍👧‍👦🏴󠁧󠁢󠁷󠁬󠁳󠁿🇩🇪🇫🇷❤️‍🔥",
        "H" + marks(30) + "e" + marks(30), String(repeating: "e\u{301}", count: 2_000),
    ]

    private func door() throws -> TestDoor {
        let test = try TestDoor()
        test.door.router.post("/said") { request, context in
            try await JSONBody().decode(Said.self, from: request, context: context).text
        }
        test.door.router.get("/said/:name") { request, context in
            let name = try context.parameters.require("name")
            return "\(name) \(request.text("text") ?? "")"
        }
        return test
    }

    private func post(_ body: String) async throws -> TestAnswer {
        try await door().send(
            .post,
            "/said",
            headers: [.contentType: "application/json"],
            body: body
        )
    }

    @Test(arguments: said) func `comes as it was written`(_ text: String) async throws {
        let json = try JSONBody.encoder.encode(Said(text: text))
        let answer = try await post(String(decoding: json, as: UTF8.self))
        #expect(answer.status == 200)
        #expect(Array(answer.body.utf8) == Array(text.utf8))
        let place = try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let found = try await door().send(
            .get,
            "/said/\(place)?text=\(place)",
            headers: [.userAgent: text]
        )
        #expect(Array(found.body.utf8) == Array("\(place) \(text)".utf8))
    }

    @Test(arguments: [
        #"{"text":"a\#(marks(31))"}"#, #"{"text":"a\#(marks(31, escaped: true))"}"#,
        #"{"a\#(marks(31))":1,"text":""}"#, #"{"text":"","a":["\#(marks(31))"]}"#,
        #"a\#(marks(31))"#,
    ])
    func `is refused as a body with a row that is too long`(_ body: String) async throws {
        let answer = try await post(body)
        #expect(answer.status == 400)
        #expect(try answer.problem == "malformed-json")
        #expect(answer.body.contains("more than 30 combining marks in a row"))
    }

    @Test(arguments: [
        (#"{"größe":1,"text":"a"}"#, 400), (#"{"gr\u00f6":1,"text":"a"}"#, 400),
        (#"{"a":{"ü" : 1},"text":"a"}"#, 400), (#"{"text":"größe\":\u00fc\\"}"#, 200),
        (#"{"a":["ü","ü"] , "text" : "ü"}"#, 200), (#"{"ü\":":1,"text":""}"#, 400),
    ])
    func `has names of plain ASCII in a body`(_ body: String, _ status: Int) async throws {
        let answer = try await post(body)
        #expect(answer.status == status)
        #expect(answer.body.contains("not plain ASCII") == (status == 400))
    }

    @Test func `is refused as a body in another encoding`() async throws {
        let test = try door()
        for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf32BigEndian] {
            let data = try #require(#"{"text":"a"}"#.data(using: encoding))
            #expect(throws: Problem.self) { try JSONBody.value(Said.self, in: data) }
        }
        let answer = try await test.send(
            .post,
            "/said",
            headers: [.contentType: "application/json"],
            body: "{\"text\":\"\u{0}\"}"
        )
        #expect(answer.body.contains("JSON is UTF-8"))
    }

    @Test func `is refused in every field and part of the address, with all that an answer has`()
        async throws
    {
        let test = try door()
        let long = "a" + marks(31)
        let place = try #require(long.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let token = try await test.token()
        for path in [
            "/said/\(place)", "/said/\(long)", "/said/a?text=\(place)", "/said/a?\(place)=1",
        ] {
            let answer = try await test.send(
                .get,
                path,
                headers: [.authorization: "Bearer \(token)"]
            )
            #expect(answer.status == 400, "\(path)")
            #expect(answer.body.contains("the address has more than 30 combining marks in a row"))
            #expect(answer.headers[.requestID] != nil)
            #expect(answer.headers[.xContentTypeOptions] == "nosniff")
        }
        for field in [
            HTTPField.Name.cookie, .authorization, .contentType, .acceptEncoding, .ifNoneMatch,
            .origin, .range, .userAgent, .idempotencyKey, .requestID, .expect, .accept,
        ] {
            let answer = try await test.send(.get, "/said/a", headers: [field: long])
            #expect(answer.status == 400, "\(field)")
            #expect(try answer.problem == "malformed-request")
            #expect(answer.body.contains("the field \(field.rawName) has more than 30"))
        }
    }

    @Test(arguments: [1_000, 64_000]) func `is looked at once, byte by byte`(count: Int) {
        let sound = String(repeating: "a" + marks(30), count: count / 61)
        let bytes = CountedBytes(sound.utf8)
        #expect(OutsideText.isSound(json: bytes))
        #expect(bytes.count.taken.withLock { $0 } == sound.utf8.count + 1)
        let dear = CountedBytes(("a" + marks(count)).utf8)
        #expect(!OutsideText.isSound(json: dear))
        // The letter, and 31 marks of two bytes.
        #expect(dear.count.taken.withLock { $0 } == 63)
    }

    @Test(arguments: [
        #"{"type":"subscribe","topic":"\#(marks(31))"}"#,
        #"{"type":"\#(marks(31))","topic":"desk"}"#, #"{"\#(marks(31, escaped: true))":1}"#,
    ])
    func `is refused as a frame`(_ frame: String) throws {
        let topic = #expect(throws: Problem.self) {
            try JSONBody.value(TopicRequest.self, in: Data(frame.utf8))
        }
        #expect(topic?.detail?.contains("30 combining marks") == true)
        let camera = #expect(throws: Problem.self) {
            try JSONBody.value(IngestRequest.self, in: Data(frame.utf8))
        }
        #expect(camera?.detail?.contains("30 combining marks") == true)
        #expect(throws: Problem.self) {
            try JSONBody.value(ChatRequest.self, in: Data(frame.utf8))
        }
    }

    @Test(arguments: [false, true])
    func `that a chat refuses still names its message`(escaped: Bool) {
        let row = marks(40, escaped: escaped)
        let frame = #"{"Message":"a\#(row)","TempMessageID":"a-1","IncidentID":"i"}"#
        #expect(!OutsideText.isSound(json: frame.utf8))
        let name = ChatRequest.Name(in: frame)
        #expect(name.temporaryMessageID == "a-1")
        #expect(name.incidentID == "i")
    }

    @Test func `names no message in a frame that no page sends`() {
        let filling = String(repeating: "a", count: GatewayLimits.namedFrameBytes)
        let frame = #"{"Message":"\ud83d\#(filling)","TempMessageID":"a-1","IncidentID":"i"}"#
        #expect(ChatRequest.Name(in: frame) == ChatRequest.Name())
    }

    @Test func `that is typed is no code, link or number where it is longer than any`() {
        let code = String(repeating: "A", count: AccountLimits.spokenCodeBytes)
        #expect(AccountStore.normal(code) == code)
        #expect(AccountStore.normal(code + "A") == "")
        let number = "+44 7712 345678"
        #expect((try? GivenNumber(number + String(repeating: " ", count: 40))) != nil)
        #expect((try? GivenNumber(number + String(repeating: " ", count: 64))) == nil)
    }
}

@Suite(.tags(.promise10)) struct `A password of many bytes` {
    /// Eight characters with a family each, and as many bytes as a password may have, and one more.
    private static let longest = String(
        repeating: "a" + String(repeating: "\u{200D}", count: 21),
        count: 16
    )

    private func accounts() throws -> AccountStore {
        // Nobody may wait: whatever comes to the queue is refused in other words.
        try TestDoor { $0.accounts.waitingPasswords = 0 }.accounts
    }

    @Test func `is refused before it waits for its turn`() async throws {
        let accounts = try accounts()
        #expect(Self.longest.utf8.count == 1_024)
        func signIn(_ password: String) async throws {
            _ = try await accounts.signIn(
                login: "amina",
                password: password,
                from: SignInOrigin(address: "192.0.2.1")
            )
        }
        await #expect(throws: AccountError.tooManySignIns) { try await signIn(Self.longest) }
        await #expect(throws: AccountError.signInRefused) { try await signIn(Self.longest + "a") }
    }

    @Test func `is no new one, however few characters it has`() throws {
        let accounts = try accounts()
        try accounts.accept(password: Self.longest, login: "amina")
        #expect(throws: AccountError.passwordOfTooManyBytes(max: 1_024)) {
            try accounts.accept(password: Self.longest + "a", login: "amina")
        }
        #expect(
            AccountError.passwordOfTooManyBytes(max: 1_024).description
                == "choose a password of at most 1024 bytes of UTF-8"
        )
    }
}
