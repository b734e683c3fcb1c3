// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Testing

@Suite struct `Names, times and identifiers` {
    @Test(arguments: ["session/0199", "operator/123456789", "a", "session.created/1", "a/b/c"])
    func `read back what they print`(text: String) throws {
        #expect(Subject(text)?.text == text)
    }

    @Test(arguments: ["", "Session/1", "/a", "session/", "a//b", "a b", "é/1", "a/\u{1}"])
    func `refuse other forms`(text: String) {
        #expect(Subject(text) == nil)
    }

    @Test func `times print and read the same microsecond`() {
        var chance = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            let range: ClosedRange<Int64> = -62_135_596_800_000_000...253_402_300_799_999_999
            let time = Timestamp(microseconds: Int64.random(in: range, using: &chance))
            #expect(Timestamp(time.description) == time)
        }
        #expect(Timestamp(microseconds: 1).description == "1970-01-01T00:00:00.000001Z")
        #expect(Timestamp("2016-02-29T12:00:00Z")?.description == "2016-02-29T12:00:00.000000Z")
    }

    /// As RFC 3339 lets others write them.
    @Test(arguments: [
        ("2026-11-21T13:11:00Z", "2026-11-21T13:11:00.000000Z"),
        ("2026-11-21t13:11:00z", "2026-11-21T13:11:00.000000Z"),
        ("2026-11-21T13:11:00+01:00", "2026-11-21T12:11:00.000000Z"),
        ("2026-11-21T00:11:00.5+05:30", "2026-11-20T18:41:00.500000Z"),
        ("2026-11-21T13:11:00-00:00", "2026-11-21T13:11:00.000000Z"),
        ("2026-11-21T13:11:00.123456789Z", "2026-11-21T13:11:00.123456Z"),
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000000Z"),
        ("2016-12-31T15:59:60.9-08:00", "2017-01-01T00:00:00.000000Z"),
    ])
    func `times are read in every spelling that RFC 3339 allows`(text: String, utc: String) {
        #expect(Timestamp(text)?.description == utc)
    }

    @Test(arguments: [
        "2015-02-29T12:00:00Z", "2015-01-01T24:00:00Z", "2015-01-01T00:00:00", "",
        "2015-01-01 00:00:00Z", "2015-01-01T00:00:60Z", "2015-01-01T00:00:00.Z",
        "2015-01-01T00:00:00.1234567890Z", "2015-01-01T00:00:00+24:00",
        "2015-01-01T00:00:00+0100", "2015-01-01T00:00:00.5+1:00", "0001-01-01T00:00:00+01:00",
        "9999-12-31T23:59:59-01:00", "2015-01-01T00:00:00é",
    ])
    func `times that do not exist are refused`(text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test func `identifiers are version 7 and sort by their millisecond`() {
        var chance = SeededGenerator(seed: 9)
        let early = EventID(at: Timestamp(microseconds: 1_000_000), using: &chance)
        let late = EventID(at: Timestamp(microseconds: 1_001_000), using: &chance)
        #expect(early.description < late.description)
        #expect(EventID(early.description) == early)
        #expect(late.uuid.time == Timestamp(microseconds: 1_001_000))
        #expect(EventID(early.description.uppercased()) == nil)
    }
}
