// SPDX-License-Identifier: Apache-2.0
import CTurboJPEG
import Foundation
import Media
import MediaTesting
import TestSupport
import Testing

@Suite(.tags(.promise10), .timeLimit(.minutes(10))) struct `A public copy of a photo` {
    private func process() throws -> InspectionProcess {
        InspectionProcess(executable: try Samples.tool(), arguments: ["inspect-worker"])
    }

    /// Its upper quarters are light on the left and grey on the right, the lower ones dark.
    private static func photo(width: Int = 320, height: Int = 160) throws -> [UInt8] {
        var picture = Picture(size: PictureSize(width: width, height: height), luma: 30)
        for place in 0..<width * height / 2 {
            picture.luma[place] = place % width < width / 2 ? 230 : 130
        }
        return try picture.jpeg(quality: 95)
    }

    /// Puts a segment behind the first marker.
    private static func insert(_ marker: UInt8, _ content: [UInt8], into file: [UInt8]) -> [UInt8] {
        let length = content.count + 2
        return file.prefix(2) + [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + content
            + file.dropFirst(2)
    }

    /// A photo that says of itself that it has another size.
    private static func photo(claiming width: UInt16, _ height: UInt16) throws -> [UInt8] {
        var photo = try photo()
        let frame = try #require(photo.firstRange(of: [0xFF, 0xC0])).lowerBound
        let sides = [height, width].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        photo.replaceSubrange(frame + 5..<frame + 9, with: sides)
        return photo
    }

    @Test func `has nothing of where it was taken`() async throws {
        let exif = ExifSample()
        let plain = try Self.photo()
        var photo = exif.jpeg(plain)
        photo = Self.insert(0xFE, Array("a remark".utf8), into: photo)
        photo = Self.insert(0xE1, Array("http://ns.adobe.com/xap/1.0/\0<x/>".utf8), into: photo)
        #expect(PictureOrigin(of: photo).place != nil)
        let copy = try await process().publicCopy(of: photo)
        #expect(PictureOrigin(of: copy).place == nil && PictureOrigin(of: copy).taken == nil)
        // Within the picture's data no such marker can be (ITU-T T.81, B.1.1.5).
        for marker in [0xE1, 0xE2, 0xED, 0xFE] as [UInt8] {
            #expect(copy.firstRange(of: [0xFF, marker]) == nil)
        }
        for words in ["Exif", "a remark", "adobe"] { #expect(!copy.contains(words.utf8)) }
        #expect(photo.contains(exif.block[10..<60]) && !copy.contains(exif.block[10..<60]))
        #expect(try await process().publicCopy(of: plain) == copy)
    }

    @Test(arguments: [
        (1, "ab.."), (2, "ba.."), (3, "..ba"), (4, "..ab"), (5, "a.b."), (6, ".a.b"), (7, ".b.a"),
        (8, "b.a."),
    ])
    func `is upright`(orientation: UInt16, corners: String) async throws {
        var exif = ExifSample()
        (exif.orientation, exif.thumbnailOrientation) = (orientation, 1)
        let copy = try await process().publicCopy(of: exif.jpeg(Self.photo()), sideMax: 100)
        let shown = try Shown(copy)
        #expect(PictureOrigin(of: copy).orientation == 1)
        let sides = orientation < 5 ? [100, 50] : [50, 100]
        #expect([shown.width, shown.height] == sides)
        let found = [(1, 1), (3, 1), (1, 3), (3, 3)].map { x, y -> Character in
            switch shown.colour(x: shown.width * x / 4, y: shown.height * y / 4).green {
            case 220...240: "a"
            case 120...140: "b"
            case 20...40: "."
            default: "?"
            }
        }
        #expect(String(found) == corners)
    }

    @Test(arguments: [(2000, 1600), (2000, 320), (1600, 1600), (1700, 1600), (100, 320)])
    func `is no larger than wanted, and not much smaller`(side: Int, sideMax: Int) async throws {
        let photo = try Self.photo(width: side, height: side / 2)
        let shown = try Shown(try await process().publicCopy(of: photo, sideMax: sideMax))
        let wanted = min(side, sideMax)
        #expect((wanted * 7 / 8...wanted).contains(shown.width))
        #expect(abs(shown.width - 2 * shown.height) <= 2)
    }

    /// Red and green of sRGB as Display P3 has them (CSS Color 4), in luma and both differences.
    @Test(
        arguments: [
            ([104, 89, 221], [255, 0, 0]), ([191, 63, 75], [0, 255, 0]),
            ([200, 128, 128], [200, 200, 200]),
        ] as [([UInt8], [Int])]
    )
    func `of an iPhone has its colours`(stored: [UInt8], shown: [Int]) async throws {
        var picture = Picture(size: PictureSize(width: 64, height: 64), luma: stored[0])
        picture.blue = picture.blue.map { _ in stored[1] }
        picture.red = picture.red.map { _ in stored[2] }
        let name = "Display P3".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let profile = Array("ICC_PROFILE\0".utf8) + [1, 1] + name
        let photo = Self.insert(0xE2, profile, into: try picture.jpeg(quality: 95))
        let copy = try await process().publicCopy(of: photo)
        let colour = try Shown(copy).colour(x: 32, y: 32)
        let differences = zip([colour.red, colour.green, colour.blue], shown).map { abs($0 - $1) }
        // Near black, a step of the stored colour makes many of the shown one.
        #expect(differences.allSatisfy { $0 <= 12 }, "\(colour)")
        #expect(copy.firstRange(of: [0xFF, 0xE2]) == nil)
    }

    @Test func `is not made of anything else, and the child goes on`() async throws {
        let process = try process()
        let good = try Self.photo()
        _ = try await process.publicCopy(of: good)
        let child = await process.processIdentifier
        let refused: [([UInt8], PublicCopyFault)] = [
            (Array(good.prefix(good.count / 2)), .undecodable),
            (good.dropLast(2), .undecodable),
            (try Self.photo(claiming: 4800, 4800), .undecodable),
            (
                try Self.photo(claiming: 65_000, 65_000),
                .notTaken(.tooLarge(width: 65_000, height: 65_000))
            ),
            (
                try Self.photo(claiming: 12_000, 6000),
                .tooManyPixels(PictureSize(width: 12_000, height: 6000))
            ),
            (try `The head of a picture`.fixture("street.png"), .notJPEG(.png)),
            (try `The head of a picture`.fixture("street.webp"), .notJPEG(.webP)),
            (Array("GIF89a".utf8), .notTaken(.otherFormat)),
            ([], .notTaken(.otherFormat)),
        ]
        for (bytes, fault) in refused {
            let thrown = await #expect(throws: PublicCopyFault.self) {
                try await process.publicCopy(of: bytes)
            }
            #expect(thrown == fault)
        }
        #expect(try await process.publicCopy(of: good).isEmpty == false)
        #expect(await process.processIdentifier == child)
    }

    @Test func `that killed the child is a fault, and the next photo has another`() async throws {
        let process = try process()
        let good = try Self.photo()
        let copy = try await process.publicCopy(of: good)
        kill(try #require(await process.processIdentifier), SIGKILL)
        await #expect(throws: PublicCopyFault.notMade(.childDied(status: SIGKILL))) {
            try await process.publicCopy(of: good)
        }
        #expect(try await process.publicCopy(of: good) == copy)
    }

    @Test func `is not taken from a child that answers something else`() async throws {
        let echo = InspectionProcess(executable: "/bin/cat", arguments: [])
        let thrown = await #expect(throws: PublicCopyFault.self) {
            try await echo.publicCopy(of: try Self.photo())
        }
        guard case .notMade(.unavailable) = thrown else {
            Issue.record("ended as \(String(describing: thrown))")
            return
        }
    }
}

/// The pixels of a JPEG as the library shows them.
private struct Shown {
    let width: Int
    let height: Int
    private let bytes: [UInt8]

    init(_ jpeg: [UInt8]) throws {
        let decompressor = try #require(tjInitDecompress())
        defer { tjDestroy(decompressor) }
        var (width, height, chroma, colours) = (Int32(0), Int32(0), Int32(0), Int32(0))
        let count = UInt(jpeg.count)
        try #require(
            tjDecompressHeader3(decompressor, jpeg, count, &width, &height, &chroma, &colours) == 0
        )
        var bytes = [UInt8](repeating: 0, count: Int(3 * width * height))
        let format = Int32(TJPF_RGB.rawValue)
        try #require(
            tjDecompress2(decompressor, jpeg, count, &bytes, width, 0, height, format, 0) == 0
        )
        (self.width, self.height, self.bytes) = (Int(width), Int(height), bytes)
    }

    func colour(x: Int, y: Int) -> (red: Int, green: Int, blue: Int) {
        let place = 3 * (y * width + x)
        return (Int(bytes[place]), Int(bytes[place + 1]), Int(bytes[place + 2]))
    }
}
