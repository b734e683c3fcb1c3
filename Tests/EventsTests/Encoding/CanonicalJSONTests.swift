// SPDX-License-Identifier: Apache-2.0
import Events
import Testing

@Suite struct `Canonical JSON` {
    private func canonical(_ text: String) throws -> String {
        String(decoding: try CanonicalJSON.canonicalise(Array(text.utf8)), as: UTF8.self)
    }

    @Test func `of the RFC's structure example is the RFC's`() throws {
        let input = #"""
            {
              "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
              "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
              "literals": [null, true, false]
            }
            """#
        let output =
            #"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"#
            + "\"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}"
        #expect(try canonical(input) == output)
        try CanonicalJSON.check(Array(output.utf8))
    }

    @Test func `of the RFC's sorting example has its order, by UTF-16 units`() throws {
        let input = #"""
            {"\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh",
             "1": "One", "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control",
             "\u00f6": "Latin Small Letter O With Diaeresis"}
            """#
        let output =
            "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u{80}\":\"Control\","
            + "\"ö\":\"Latin Small Letter O With Diaeresis\",\"€\":\"Euro Sign\","
            + "\"😀\":\"Emoji: Grinning Face\",\"\u{FB33}\":\"Hebrew Letter Dalet With Dagesh\"}"
        #expect(try canonical(input) == output)
        try CanonicalJSON.check(Array(output.utf8))
        let encoded = try CanonicalEncoder().encode(
            [
                "€": "Euro Sign", "\r": "Carriage Return", "1": "One", "😀": "Emoji: Grinning Face",
                "\u{80}": "Control", "ö": "Latin Small Letter O With Diaeresis",
                "\u{FB33}": "Hebrew Letter Dalet With Dagesh",
            ]
        )
        #expect(String(decoding: encoded, as: UTF8.self) == output)
    }

    @Test(
        arguments: [
            " 1", "1 ", "{\"b\":1,\"a\":2}", "{\"a\":1,\"a\":2}", "{ }", "[1, 2]", "[1,]",
            "{\"a\":1,}",
            "1.0", "01", "-0", "1e5", "1E+30", "0.0000001", "100000000000000000000000", "+1", "-",
            "1.", ".5",
            "\"\\/\"", "\"\\u0041\"", "\"\\u000A\"", "\"\\u000a\"", "\"\\u001F\"", "\"\t\"",
            "\"\\x\"",
            "\"", "\"\\", "\"\\u00", "tru", "nulll", "True", "", "{", "[", "{\"a\"}", "{\"a\":}",
            "{1:2}",
            "[1}", "{\"a\":1]", "[[]", "9007199254740993",
        ]
    )
    func `is refused in any other form`(text: String) {
        #expect(throws: CanonicalJSONError.self) { try CanonicalJSON.check(Array(text.utf8)) }
    }

    @Test(
        arguments: [
            [0x22, 0x80, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xC3, 0x22],
            [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x22, 0xE0, 0x80, 0x80, 0x22],
            [0x22, 0xFF, 0x22],
            [0x22, 0xF0, 0x9F, 0x98, 0x22],
        ] as [[UInt8]]
    )
    func `is refused when it is no UTF-8`(bytes: [UInt8]) {
        #expect(throws: CanonicalJSONError.self) { try CanonicalJSON.check(bytes) }
        #expect(throws: CanonicalJSONError.self) { try CanonicalJSON.canonicalise(bytes) }
    }

    @Test(
        arguments: [
            "{}", "[]", "\"\"", "0", "-1", "true", "false", "null", "[[],{}]", "{\"\":0}", "1e+30",
            "0.000001",
            "\"\\u0000\\u001f\\b\\t\\n\\f\\r\\\"\\\\/\"", "\"é€😀\u{7F}\u{80}\"",
            "{\"a\":{\"b\":[1,2.5]},\"b\":null}",
        ]
    )
    func `is accepted and left as it is`(text: String) throws {
        try CanonicalJSON.check(Array(text.utf8))
        #expect(try canonical(text) == text)
    }

    @Test(
        arguments: [
            "9007199254740993", "123456789012345678901234567890", "1e400", "\"\\ud800\"",
            "\"\\udc00\\ud800\"",
            "\"\\u12g4\"", "{\"a\":1,\"\\u0061\":2}", "[1 2]", "nul", "1 2", "", "\"\u{1}\"",
            "\"abc", "{,}", "[",
        ]
    )
    func `is not made from what I-JSON forbids`(text: String) {
        #expect(throws: CanonicalJSONError.self) { try canonical(text) }
    }

    @Test func `may be 64 deep and no deeper`() throws {
        let deepest = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        try CanonicalJSON.check(Array(deepest.utf8))
        #expect(try canonical(deepest) == deepest)
        #expect(throws: CanonicalJSONError.tooDeep(offset: 64)) {
            try CanonicalJSON.check(Array("[\(deepest)]".utf8))
        }
        #expect(throws: CanonicalJSONError.tooDeep(offset: 64)) { try canonical("[\(deepest)]") }
    }
}
