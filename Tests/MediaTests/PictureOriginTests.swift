// SPDX-License-Identifier: Apache-2.0
import EventsTesting
import Foundation
import Media
import MediaTesting
import TestSupport
import Testing

@Suite(.tags(.promise10)) struct `Where and when a picture was taken` {
    private static func origin(_ change: (inout ExifSample) -> Void) throws -> PictureOrigin {
        var exif = ExifSample()
        change(&exif)
        let picture = Picture(size: PictureSize(width: 16, height: 8))
        return PictureOrigin(of: exif.jpeg(try picture.jpeg()))
    }

    @Test(arguments: [false, true]) func `is read in both byte orders`(isLittle: Bool) throws {
        let origin = try Self.origin {
            $0.isLittleEndian = isLittle
            $0.accuracy = (47, 10)
        }
        let place = try #require(origin.place)
        #expect(abs(place.latitude - -33.858611) < 0.000001)
        #expect(abs(place.longitude - 151.214167) < 0.000001)
        #expect(place.accuracyMetres == 4.7)
        let taken = try #require(origin.taken)
        #expect(taken.local == "2026-11-27T16:18:12" && taken.offsetMinutes == 660)
        #expect(taken.date == Date(timeIntervalSince1970: 1_795_756_692))
    }

    @Test func `is read from PNG and WebP`() throws {
        let block = ExifSample().block
        let count = [UInt8(block.count >> 8), UInt8(block.count & 0xFF)]
        let head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let other = [0, 0, 0, 1] + Array("gAMA".utf8) + [7, 0, 0, 0, 0]
        let png = head + other + [0, 0] + count + Array("eXIf".utf8) + block
        // The chunk before it is filled up to an even length.
        let riff = Array("RIFF\0\0\0\0WEBPICCP".utf8) + [1, 0, 0, 0, 7, 0]
        let webP = riff + Array("EXIF".utf8) + count.reversed() + [0, 0] + block
        let expected = try Self.origin { _ in }
        #expect(expected.place != nil)
        #expect(PictureOrigin(of: png) == expected)
        #expect(PictureOrigin(of: webP) == expected)
    }

    struct Spelling: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout ExifSample) -> Void

        init(_ name: String, _ change: @escaping @Sendable (inout ExifSample) -> Void) {
            testDescription = name
            self.change = change
        }
    }

    @Test(arguments: [
        Spelling("small letters") { ($0.latitudeReference, $0.longitudeReference) = ("s", "e") },
        Spelling("no references") { ($0.latitudeReference, $0.longitudeReference) = (nil, nil) },
        Spelling("one reference") { $0.longitudeReference = nil },
        Spelling("references exchanged") {
            ($0.latitudeReference, $0.longitudeReference) = ("E", "S")
        },
        Spelling("a reference and more") { $0.latitudeReference = "South" },
        Spelling("a negative number") { $0.latitude[0].above = UInt32(bitPattern: -33) },
        Spelling("a type with a sign") { $0.fractionType = 10 },
        Spelling("sixty seconds") { $0.latitude[2] = (60, 1) },
        Spelling("sixty minutes") { $0.longitude[1] = (3600, 60) },
        Spelling("no denominators") { $0.latitude = [(33, 0), (51, 0), (31, 0)] },
        Spelling("no denominator of the seconds") { $0.longitude[2] = (0, 0) },
        Spelling("latitude zero") { $0.latitude = [(0, 1), (0, 1), (0, 1)] },
        Spelling("longitude zero") { $0.longitude = [(0, 1), (0, 1), (0, 1)] },
        Spelling("two numbers") { $0.latitude.removeLast() },
        Spelling("beyond the pole") { $0.latitude = [(90, 1), (0, 1), (1, 100)] },
        Spelling("beyond the date line") { $0.longitude = [(181, 1), (0, 1), (0, 1)] },
        Spelling("another datum") { $0.datum = "TOKYO" },
    ])
    func `has no place when it is spelt otherwise`(spelling: Spelling) throws {
        let origin = try Self.origin(spelling.change)
        #expect(origin.place == nil)
        #expect(origin.taken != nil)
    }

    @Test(arguments: [
        Spelling("the datum named") { $0.datum = "WGS-84" },
        Spelling("no accuracy") { $0.accuracy = (1, 0) },
        Spelling("decimal minutes") { $0.latitude = [(33, 1), (51_516_667, 1_000_000), (0, 1)] },
        Spelling("north and west") { ($0.latitudeReference, $0.longitudeReference) = ("N", "W") },
    ])
    func `has a place when it is spelt well`(spelling: Spelling) throws {
        let place = try #require(try Self.origin(spelling.change).place)
        #expect(abs(abs(place.latitude) - 33.858611) < 0.000001)
        #expect(place.accuracyMetres == nil)
    }

    @Test func `north and east are positive, south and west negative`() throws {
        for (latitude, longitude) in [("N", "E"), ("N", "W"), ("S", "E"), ("S", "W")] {
            let origin = try Self.origin {
                ($0.latitudeReference, $0.longitudeReference) = (latitude, longitude)
            }
            let place = try #require(origin.place)
            #expect((place.latitude > 0) == (latitude == "N"))
            #expect((place.longitude > 0) == (longitude == "E"))
        }
    }

    @Test(arguments: [
        "0000:00:00 00:00:00", "2026:02:29 10:00:00", "2026:13:01 10:00:00", "2026:11:27 24:00:00",
        "2026:11:27 10:60:00", "2026-11-27 10:00:00", "    :  :     :  :  ", "2026:11:27", "",
    ])
    func `has no time when there was none`(date: String) throws {
        let origin = try Self.origin { $0.date = date }
        #expect(origin.taken == nil)
        #expect(origin.place != nil)
    }

    @Test(arguments: [nil, "", "Z", "+25:00", "+01:60", "01:00", "+1:00"])
    func `has a time without a moment when the offset is not known`(offset: String?) throws {
        let taken = try #require(try Self.origin { $0.offset = offset }.taken)
        #expect(taken.local == "2026-11-27T16:18:12")
        #expect(taken.offsetMinutes == nil && taken.date == nil)
    }

    @Test func `the thumbnail's orientation is not the picture's`() throws {
        let origin = try Self.origin { ($0.orientation, $0.thumbnailOrientation) = (6, 1) }
        #expect(origin.orientation == 6)
        #expect(
            try Self.origin { ($0.orientation, $0.thumbnailOrientation) = (1, 6) }.orientation == 1
        )
    }

    @Test(arguments: [0, 9, .max] as [UInt16])
    func `an orientation that there is not is upright`(number: UInt16) throws {
        #expect(try Self.origin { $0.orientation = number }.orientation == 1)
    }

    @Test func `is read or left out, whatever the bytes`() throws {
        let jpeg = try Picture(size: PictureSize(width: 16, height: 8)).jpeg()
        let samples = [false, true].map { isLittle in
            var exif = ExifSample()
            exif.isLittleEndian = isLittle
            return exif.jpeg(jpeg)
        }
        for sample in samples { #expect(try MediaParsers.origin(sample)) }
        var fuzzer = Fuzzer(samples: samples)
        let tally = try fuzzer.run("origin", MediaParsers.origin)
        #expect(tally.accepted > 0 && tally.refused > 0)
    }
}
