// SPDX-License-Identifier: Apache-2.0
import Events
import TestSupport
import Testing

@Suite(.tags(.promise10)) struct `A number from outside` {
    /// What people, programs and attackers write where a number is asked.
    static let noNumbers = [
        "", "-", "+1", " 1", "1 ", "0x10", "1_000", "1e3", "1e400", "-1e400", "nan", "inf", "NaN",
        "١٢",
        "9223372036854775808", "18446744073709551616", "-9223372036854775809",
        String(repeating: "9", count: 65_536), "1.5", "1\0",
    ]

    @Test(arguments: noNumbers)
    func `is refused where it is no whole number that fits`(text: String) {
        #expect(NumberText.whole(text, in: Int64.min...Int64.max) == nil)
    }

    @Test func `is read within its range, and refused outside`() {
        #expect(NumberText.whole("9223372036854775807", in: 0...Int64.max) == .max)
        #expect(NumberText.whole("-9223372036854775808", in: Int64.min...0) == .min)
        #expect(NumberText.whole("18446744073709551615", in: 0...UInt64.max) == .max)
        #expect(NumberText.whole("-1", in: 0...UInt64.max) == nil)
        #expect(NumberText.whole("100", in: 1...100) == 100)
        #expect(NumberText.whole("101", in: 1...100) == nil)
        #expect(NumberText.whole("007", in: 1...100) == 7)
    }

    @Test(arguments: ["", "nan", "inf", "-inf", "1e400", "0x1p3", "1,5", "91", " 1"])
    func `is refused where it is no decimal number within its range`(text: String) {
        #expect(NumberText.real(text, in: -90...90) == nil)
    }

    @Test func `may have a fraction and an exponent`() {
        #expect(NumberText.real("-1.89", in: -90...90) == -1.89)
        #expect(NumberText.real("5e-1", in: -90...90) == 0.5)
    }

    @Test(arguments: ["9223372036854775808", "18446744073709551615", "-1", "01", "", "1e3"])
    func `names no position or revision above 2⁶³−1`(text: String) {
        #expect(LogPosition(text) == nil)
        #expect(Revision(text) == nil)
    }

    @Test func `names the last position, and nothing stands behind the last of all`() {
        #expect(LogPosition("9223372036854775807") == LogPosition(UInt64(Int64.max)))
        #expect(LogPosition(.max).next == LogPosition(.max))
        #expect(Revision(.max).next == Revision(.max))
    }
}
