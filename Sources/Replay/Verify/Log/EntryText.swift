// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// The bytes of an entry between two places that move towards each other.
struct EntryText {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let base: UnsafePointer<UInt8>
    /// The first byte that is not read yet.
    private(set) var low = 0
    /// Behind the last byte that is not read yet.
    private(set) var high: Int

    // Never read or written: it stands for the place of no bytes.
    private nonisolated(unsafe) static let nothing = UnsafeMutablePointer<UInt8>.allocate(
        capacity: 1
    )

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        base = bytes.baseAddress ?? UnsafePointer(Self.nothing)
        high = bytes.count
    }

    // MARK: Backwards

    mutating func dropEnd(_ text: StaticString, _ member: StaticString) throws(EntryFault) {
        let start = high - text.utf8CodeUnitCount
        guard start >= low, matches(text, at: start) else {
            throw EntryFault(member, "is missing")
        }
        high = start
    }

    /// The value that ends at `high`, with what stands before it up to its opening quote.
    mutating func last(
        _ member: StaticString,
        prefix: StaticString
    ) throws(EntryFault) -> Range<Int> {
        guard let range = lastIfPresent(prefix: prefix) else {
            throw EntryFault(member, "is missing")
        }
        return range
    }

    mutating func lastIfPresent(prefix: StaticString) -> Range<Int>? {
        var start = high
        while start > low, base[start - 1] != UInt8(ascii: "\"") { start -= 1 }
        let prefixStart = start - prefix.utf8CodeUnitCount
        guard prefixStart >= low, matches(prefix, at: prefixStart) else { return nil }
        let range = start..<high
        high = prefixStart
        return range
    }

    mutating func number(
        _ member: StaticString,
        prefix: StaticString
    ) throws(EntryFault) -> UInt64 {
        let range = try last(member, prefix: prefix)
        guard 1...20 ~= range.count, range.count == 1 || base[range.lowerBound] != 0x30 else {
            throw EntryFault(member, "is no decimal number")
        }
        var number: UInt64 = 0
        for index in range {
            let digit = base[index] &- 0x30
            let (tens, high) = number.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tens.addingReportingOverflow(UInt64(digit))
            guard digit < 10, !high, !carry else {
                throw EntryFault(member, "is no decimal number")
            }
            number = sum
        }
        return number
    }

    // MARK: Forwards

    mutating func first(
        _ member: StaticString,
        prefix: StaticString
    ) throws(EntryFault) -> Range<Int> {
        guard let range = try firstIfPresent(member, prefix: prefix) else {
            throw EntryFault(member, "is missing")
        }
        return range
    }

    mutating func firstIfPresent(
        _ member: StaticString,
        prefix: StaticString
    ) throws(EntryFault) -> Range<Int>? {
        guard skip(prefix) else { return nil }
        let start = low
        while low < high, base[low] != UInt8(ascii: "\"") { low += 1 }
        guard low < high else { throw EntryFault(member, "does not end") }
        low += 1
        return start..<(low - 1)
    }

    mutating func skip(_ text: StaticString) -> Bool {
        guard low + text.utf8CodeUnitCount <= high, matches(text, at: low) else { return false }
        low += text.utf8CodeUnitCount
        return true
    }

    private func matches(_ text: StaticString, at index: Int) -> Bool {
        memcmp(base + index, text.utf8Start, text.utf8CodeUnitCount) == 0
    }

    // MARK: Values

    func isUUID(_ range: Range<Int>) -> Bool {
        range.count == 36 && UUIDv7(utf8: UnsafeBufferPointer(rebasing: bytes[range])) != nil
    }

    /// Whether it is one part of a name: `[A-Za-z0-9._~-]{1,128}`.
    func isWord(_ range: Range<Int>) -> Bool {
        guard 1...128 ~= range.count else { return false }
        for index in range where !isWordByte(base[index]) { return false }
        return true
    }

    /// Whether it is a name: `[a-z][a-z0-9_.-]*(/[A-Za-z0-9._~-]{1,128})*`, at most 160 bytes.
    func isName(_ range: Range<Int>) -> Bool {
        guard 1...EventLimits.nameBytesMax ~= range.count,
            base[range.lowerBound] &- UInt8(ascii: "a") < 26
        else { return false }
        var index = range.lowerBound
        while index < range.upperBound, base[index] != UInt8(ascii: "/") {
            guard isNameByte(base[index]) else { return false }
            index += 1
        }
        while index < range.upperBound {
            index += 1
            let start = index
            while index < range.upperBound, base[index] != UInt8(ascii: "/") {
                guard isWordByte(base[index]) else { return false }
                index += 1
            }
            guard 1...128 ~= index - start else { return false }
        }
        return true
    }

    /// A number that grows with the time; `nil` if the text is not `YYYY-MM-DDThh:mm:ss.ffffffZ`.
    func timeOrder(_ range: Range<Int>) -> UInt64? {
        guard range.count == 27 else { return nil }
        let text = base + range.lowerBound
        guard text[4] == 0x2D, text[7] == 0x2D, text[10] == 0x54, text[13] == 0x3A,
            text[16] == 0x3A, text[19] == 0x2E, text[26] == 0x5A,
            let year = digits(text, 4), let month = digits(text + 5, 2),
            let day = digits(text + 8, 2), let hour = digits(text + 11, 2),
            let minute = digits(text + 14, 2), let second = digits(text + 17, 2),
            let fraction = digits(text + 20, 6),
            year >= 1, 1...12 ~= month, 1...dayCount(month, year) ~= day, hour < 24, minute < 60,
            second < 60
        else { return nil }
        let days = (year * 13 + month) * 32 + day
        return ((days * 24 + hour) * 60 + minute) * 60_000_000 + second * 1_000_000 + fraction
    }

    @inline(__always)
    private func digits(_ text: UnsafePointer<UInt8>, _ count: Int) -> UInt64? {
        var number: UInt64 = 0
        for index in 0..<count {
            let digit = text[index] &- 0x30
            guard digit < 10 else { return nil }
            number = number &* 10 &+ UInt64(digit)
        }
        return number
    }

    private func dayCount(_ month: UInt64, _ year: UInt64) -> UInt64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

// One bit for each ASCII character, below and from 64 on.
private let wordLow: UInt64 = 0x03FF_6000_0000_0000  // - . 0-9
private let wordHigh: UInt64 = 0x47FF_FFFE_87FF_FFFE  // A-Z _ a-z ~
private let nameHigh: UInt64 = 0x07FF_FFFE_8000_0000  // _ a-z

@inline(__always)
private func isWordByte(_ byte: UInt8) -> Bool {
    byte < 128 && (byte < 64 ? wordLow : wordHigh) >> UInt64(byte & 63) & 1 == 1
}

@inline(__always)
private func isNameByte(_ byte: UInt8) -> Bool {
    byte < 128 && (byte < 64 ? wordLow : nameHigh) >> UInt64(byte & 63) & 1 == 1
}
