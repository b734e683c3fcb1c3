// SPDX-License-Identifier: Apache-2.0
extension Timestamp: LosslessStringConvertible {
    /// RFC 3339 in UTC with six decimals: `2026-11-21T13:11:00.000001Z`, always 27 characters.
    public var description: String {
        String(unsafeUninitializedCapacity: 27) { buffer in
            write(into: buffer)
            return 27
        }
    }

    /// Reads RFC 3339: any offset, `t` and `z` in small letters, up to nine digits of a second, of which six are kept, and the leap second as
    /// the moment behind it; `nil` for anything else, such as 30 February.
    public init?(_ description: String) {
        let bytes = Array(description.utf8)
        guard bytes.count >= 20, let zone = zone(bytes),
            bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] | 0x20 == UInt8(ascii: "t"),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            let year = digits(bytes[0..<4]), let month = digits(bytes[5..<7]),
            let day = digits(bytes[8..<10]), let hour = digits(bytes[11..<13]),
            let minute = digits(bytes[14..<16]), let second = digits(bytes[17..<19]),
            let fraction = fraction(bytes[19..<(bytes.count - zone.length)]),
            (1...12).contains(month), year >= 1, hour < 24, minute < 60, second <= 60
        else { return nil }
        let days = daysFromCivil(year: year, month: month, day: day)
        guard civil(fromDays: days) == (year, month, day) else { return nil }
        let local = Int64(days) * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
        let seconds = local - Int64(zone.seconds)
        // The leap second is the last one of a day in UTC.
        guard second < 60 || seconds % 86_400 == 0 else { return nil }
        self.init(microseconds: seconds * 1_000_000 + (second < 60 ? Int64(fraction) : 0))
        guard hasText else { return nil }
    }

    /// Reads only what ``description`` writes: an entry has one spelling.
    init?(canonical text: String) {
        var text = text
        let isCanonical = text.withUTF8 { bytes in
            bytes.count == 27 && bytes[10] == UInt8(ascii: "T") && bytes[17] < UInt8(ascii: "6")
                && bytes[19] == UInt8(ascii: ".") && bytes[26] == UInt8(ascii: "Z")
        }
        guard isCanonical else { return nil }
        self.init(text)
    }

    /// Writes the 27 characters of ``description``; the buffer must have room for them.
    func write(into buffer: UnsafeMutableBufferPointer<UInt8>) {
        let (seconds, fraction) = microseconds.floorDivided(by: 1_000_000)
        let (days, rest) = seconds.floorDivided(by: 86_400)
        let (year, month, day) = civil(fromDays: Int(days))
        put(year, 4, at: 0, "-", in: buffer)
        put(month, 2, at: 5, "-", in: buffer)
        put(day, 2, at: 8, "T", in: buffer)
        put(Int(rest / 3_600), 2, at: 11, ":", in: buffer)
        put(Int(rest / 60 % 60), 2, at: 14, ":", in: buffer)
        put(Int(rest % 60), 2, at: 17, ".", in: buffer)
        put(Int(fraction), 6, at: 20, "Z", in: buffer)
    }
}

extension Timestamp: Codable {
    /// Reads the RFC 3339 text.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let value = Timestamp(text) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription:
                        "\"\(text)\" is no RFC 3339 time, such as 2026-11-21T13:11:00Z"
                )
            )
        }
        self = value
    }

    /// Writes the RFC 3339 text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension Int64 {
    fileprivate func floorDivided(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

private func put(
    _ value: Int,
    _ width: Int,
    at offset: Int,
    _ separator: Unicode.Scalar,
    in buffer: UnsafeMutableBufferPointer<UInt8>
) {
    var rest = value
    for index in stride(from: offset + width - 1, through: offset, by: -1) {
        buffer[index] = UInt8(ascii: "0") + UInt8((rest % 10).magnitude)
        rest /= 10
    }
    buffer[offset + width] = UInt8(ascii: separator)
}

private func digits(_ bytes: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for byte in bytes {
        guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
        value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return value
}

private func fraction(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard !bytes.isEmpty else { return 0 }
    guard bytes.first == UInt8(ascii: "."), (2...10).contains(bytes.count),
        digits(bytes.dropFirst()) != nil, let value = digits(bytes.dropFirst().prefix(6))
    else { return nil }
    return (min(bytes.count, 7)..<7).reduce(value) { scaled, _ in scaled * 10 }
}

/// How far a time is ahead of UTC, and how many bytes say so at its end.
private func zone(_ bytes: [UInt8]) -> (seconds: Int, length: Int)? {
    if let last = bytes.last, last | 0x20 == UInt8(ascii: "z") { return (0, 1) }
    let zone = bytes.suffix(6)
    guard let sign = zone.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
        zone[zone.startIndex + 3] == UInt8(ascii: ":"),
        let hours = digits(zone.dropFirst().prefix(2)), let minutes = digits(zone.suffix(2)),
        hours < 24, minutes < 60
    else { return nil }
    return ((sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 3_600 + minutes * 60), 6)
}

/// Days since 1970-01-01 of a date in the proleptic Gregorian calendar.
private func daysFromCivil(year: Int, month: Int, day: Int) -> Int {
    // Years counted from March put the leap day last, so that each month's start is a linear formula.
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
}

/// The date of a day counted from 1970-01-01.
private func civil(fromDays days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
}
