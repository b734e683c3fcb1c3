// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Testing

@Suite struct `Canonical numbers` {
    /// RFC 8785, appendix B: the bits of a double and how it is printed.
    static let table: [(UInt64, String)] = [
        (0x0000_0000_0000_0000, "0"),
        (0x8000_0000_0000_0000, "0"),
        (0x0000_0000_0000_0001, "5e-324"),
        (0x8000_0000_0000_0001, "-5e-324"),
        (0x7FEF_FFFF_FFFF_FFFF, "1.7976931348623157e+308"),
        (0xFFEF_FFFF_FFFF_FFFF, "-1.7976931348623157e+308"),
        (0x4340_0000_0000_0000, "9007199254740992"),
        (0xC340_0000_0000_0000, "-9007199254740992"),
        (0x4430_0000_0000_0000, "295147905179352830000"),
        (0x44B5_2D02_C7E1_4AF5, "9.999999999999997e+22"),
        (0x44B5_2D02_C7E1_4AF6, "1e+23"),
        (0x44B5_2D02_C7E1_4AF7, "1.0000000000000001e+23"),
        (0x444B_1AE4_D6E2_EF4E, "999999999999999700000"),
        (0x444B_1AE4_D6E2_EF4F, "999999999999999900000"),
        (0x444B_1AE4_D6E2_EF50, "1e+21"),
        (0x3EB0_C6F7_A0B5_ED8C, "9.999999999999997e-7"),
        (0x3EB0_C6F7_A0B5_ED8D, "0.000001"),
        (0x41B3_DE43_5555_5553, "333333333.3333332"),
        (0x41B3_DE43_5555_5554, "333333333.33333325"),
        (0x41B3_DE43_5555_5555, "333333333.3333333"),
        (0x41B3_DE43_5555_5556, "333333333.3333334"),
        (0x41B3_DE43_5555_5557, "333333333.33333343"),
        (0xBECB_F647_612F_3696, "-0.0000033333333333333333"),
        (0x4314_3FF3_C1CB_0959, "1424953923781206.2"),
    ]

    @Test(arguments: table)
    func `are printed as ECMAScript prints them`(bits: UInt64, text: String) throws {
        let bytes = try CanonicalEncoder().encode(Double(bitPattern: bits))
        #expect(String(decoding: bytes, as: UTF8.self) == text)
        try CanonicalJSON.check(bytes)
        #expect(try CanonicalJSON.canonicalise(bytes) == bytes)
    }

    @Test(
        arguments: [0x7FFF_FFFF_FFFF_FFFF, 0x7FF0_0000_0000_0000, 0xFFF0_0000_0000_0000] as [UInt64]
    )
    func `are refused when they are not finite`(bits: UInt64) {
        #expect(throws: CanonicalEncodingError.notFinite(pointer: "/0")) {
            try CanonicalEncoder().encode([Double(bitPattern: bits)])
        }
    }

    @Test func `give the same double back, whatever its bits`() throws {
        var generator = SeededGenerator.fromEnvironment()
        for _ in 0..<20_000 {
            let value = Double(bitPattern: generator.next())
            guard value.isFinite else { continue }
            let bytes = try CanonicalEncoder().encode(value)
            try CanonicalJSON.check(bytes)
            #expect(Double(String(decoding: bytes, as: UTF8.self)) == value)
        }
    }

    @Test(arguments: [9_007_199_254_740_991, -9_007_199_254_740_991, 0, -1, 10, 1_000_000])
    func `are exact up to 2⁵³ − 1`(value: Int) throws {
        #expect(String(decoding: try CanonicalEncoder().encode(value), as: UTF8.self) == "\(value)")
    }

    @Test(arguments: [9_007_199_254_740_992, -9_007_199_254_740_992, .max, .min])
    func `are refused beyond 2⁵³ − 1, where they must be strings`(value: Int) {
        let refusal = CanonicalEncodingError.integerTooLarge(pointer: "/n", digits: "\(value)")
        #expect(throws: refusal) { try CanonicalEncoder().encode(["n": value]) }
    }

    @Test func `of every size are written`() throws {
        struct Sizes: Encodable {
            let a: Int8 = -8
            let b: Int16 = -16
            let c: Int32 = -32
            let d: Int64 = -64
            let e: UInt8 = 8
            let f: UInt16 = 16
            let g: UInt32 = 32
            let h: UInt64 = 64
            let i: UInt = 1
            let j: Float = 0.5
        }
        let text = String(decoding: try CanonicalEncoder().encode(Sizes()), as: UTF8.self)
        #expect(
            text
                == #"{"a":-8,"b":-16,"c":-32,"d":-64,"e":8,"f":16,"g":32,"h":64,"i":1,"j":0.5}"#
        )
    }
}
