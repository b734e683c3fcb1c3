// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Where and when a photograph was taken and how it is turned, as far as its EXIF says so beyond doubt.
///
/// Reads any bytes; what is missing, malformed or ambiguous is left out, for a wrong place is worse than none. O(bytes).
public struct PictureOrigin: Hashable, Sendable {
    /// A place on the Earth, WGS 84.
    public struct Place: Hashable, Sendable {
        /// In degrees, north is positive.
        public let latitude: Double
        /// In degrees, east is positive.
        public let longitude: Double
        /// The radius in which the camera took itself to be, in metres.
        public let accuracyMetres: Double?
    }

    /// The time that the camera's clock showed.
    public struct Time: Hashable, Sendable {
        /// As `2026-11-27T16:18:12`.
        public let local: String
        /// How far that clock was ahead of UTC, in minutes; `nil` when the camera did not say.
        public let offsetMinutes: Int?
        /// The moment, where the offset is known.
        public let date: Date?
    }

    /// How the picture is stored, 1 to 8 (Exif 3.0, 4.6.5.1.6); 1 is upright.
    public let orientation: Int
    public let place: Place?
    public let taken: Time?

    /// Reads the EXIF of a JPEG, PNG or WebP file.
    public init(of file: [UInt8]) {
        guard let block = ExifBlock(of: file) else {
            (orientation, place, taken) = (1, nil, nil)
            return
        }
        // The thumbnail's directory, which would come next, is not read.
        let picture = block.directory(at: block.start)
        let turn = picture[0x0112].flatMap(block.short) ?? 1
        orientation = (1...8).contains(turn) ? turn : 1
        let directory = { (tag: Int) in picture[tag].flatMap(block.long).map(block.directory) ?? [:]
        }
        place = Self.place(directory(0x8825), in: block)
        taken = Self.time(directory(0x8769), in: block)
    }

    private static func place(_ fields: [Int: ExifBlock.Field], in block: ExifBlock) -> Place? {
        let datum = fields[18].map { block.text($0) ?? "?" }?.filter { $0 != "-" && $0 != " " }
        guard datum == nil || datum == "" || datum == "WGS84" else { return nil }
        func degrees(_ reference: Int, _ signs: [String: Double], max: Double) -> Double? {
            guard let sign = fields[reference].flatMap(block.text).flatMap({ signs[$0] }),
                let parts = fields[reference + 1].flatMap({ block.rationals($0, count: 3) }),
                parts[1] < 60, parts[2] < 60
            else { return nil }
            let sum = parts[0] + parts[1] / 60 + parts[2] / 3600
            // Cameras without a fix write zeros.
            return sum > 0 && sum <= max ? sign * sum : nil
        }
        guard let latitude = degrees(1, ["N": 1, "S": -1], max: 90),
            let longitude = degrees(3, ["E": 1, "W": -1], max: 180)
        else { return nil }
        let accuracy = fields[31].flatMap { block.rationals($0, count: 1) }?.first
        return Place(
            latitude: latitude,
            longitude: longitude,
            accuracyMetres: accuracy.flatMap { $0 > 0 ? $0 : nil }
        )
    }

    /// The time of the exposure, written as `2026:11:27 16:18:12`, and its offset as `+01:00`.
    private static func time(_ fields: [Int: ExifBlock.Field], in block: ExifBlock) -> Time? {
        guard let text = fields[0x9003].flatMap(block.text),
            let parts = numbers(in: text, like: "0000:00:00 00:00:00")
        else { return nil }
        let offset = fields[0x9011].flatMap(block.text).flatMap { text -> Int? in
            guard let parts = numbers(in: String(text.dropFirst()), like: "00:00"),
                text.first == "+" || text.first == "-", parts[0] <= 14, parts[1] < 60
            else { return nil }
            return (text.first == "-" ? -1 : 1) * (parts[0] * 60 + parts[1])
        }
        guard parts[0] > 0, let day = day(parts[0], parts[1], parts[2]), parts[3] < 24,
            parts[4] < 60, parts[5] < 60
        else { return nil }
        let seconds = 86_400 * day + 3600 * parts[3] + 60 * parts[4] + parts[5]
        return Time(
            local: String(text.prefix(10).replacing(":", with: "-") + "T" + text.suffix(8)),
            offsetMinutes: offset,
            date: offset.map { Date(timeIntervalSince1970: Double(seconds - 60 * $0)) }
        )
    }

    /// The days from 1 January 1970; `nil` when there is no such day.
    ///
    /// Foundation's calendar reads files, which the sandboxed child may not.
    private static func day(_ year: Int, _ month: Int, _ day: Int) -> Int? {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let months = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...12).contains(month), (1...months[month - 1]).contains(day) else { return nil }
        let past = year - 1
        let years = 365 * past + past / 4 - past / 100 + past / 400
        return years + months[..<(month - 1)].reduce(0, +) + day - 1 - 719_162
    }

    /// The numbers of a text that has a digit wherever the pattern has a zero, and is the pattern elsewhere.
    private static func numbers(in text: String, like pattern: String) -> [Int]? {
        let isDigit = { (letter: UInt8) in (0x30...0x39).contains(letter) }
        guard text.utf8.count == pattern.utf8.count,
            zip(text.utf8, pattern.utf8).allSatisfy({ $1 == 0x30 ? isDigit($0) : $0 == $1 })
        else { return nil }
        return text.utf8.split { !isDigit($0) }.compactMap { Int(Substring($0)) }
    }
}
