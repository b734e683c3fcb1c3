// SPDX-License-Identifier: Apache-2.0
import EventsTesting
import Foundation
import Media
import MediaTesting
import TestSupport
import Testing

@Suite(.tags(.promise10)) struct `The head of a picture` {
    static func fixture(_ name: String) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = folder.appending(path: "fixtures/pictures/\(name)")
        return Array(try Data(contentsOf: file))
    }

    /// A WebP file of one chunk, as far as its head.
    private static func webP(_ kind: String, _ bytes: [UInt8]) -> [UInt8] {
        let size = [UInt8](repeating: 0, count: 4)
        let chunk = Array(kind.utf8) + size + bytes
        let whole = Array("RIFF".utf8) + size + Array("WEBP".utf8) + chunk
        return whole + [UInt8](repeating: 0, count: max(0, 30 - whole.count))
    }

    @Test(
        arguments: [
            ("street.jpg", PictureFile.Format.jpeg), ("street.png", .png), ("street.webp", .webP),
        ]
    )
    func `tells format and size`(name: String, format: PictureFile.Format) throws {
        let file = try PictureFile(Self.fixture(name))
        #expect(file.format == format)
        #expect(file.width == 96 && file.height == 64)
    }

    @Test func `tells the sizes of every kind of WebP`() throws {
        // 14 bits each, one less than the side.
        let lossless = try PictureFile(Self.webP("VP8L", [0x2F, 0x8F, 0xC2, 0x77, 0]))
        #expect((lossless.width, lossless.height) == (656, 480))
        let extended = try PictureFile(Self.webP("VP8X", [0, 0, 0, 0, 0x8F, 2, 0, 0xDF, 1, 0]))
        #expect((extended.width, extended.height) == (656, 480))
    }

    @Test func `agrees with the library that writes JPEG`() throws {
        for (width, height) in [(1, 1), (17, 9), (640, 360)] {
            let picture = Picture(size: PictureSize(width: width, height: height))
            let file = try PictureFile(picture.jpeg())
            #expect((file.width, file.height) == (width, height))
        }
    }

    @Test(arguments: [
        "", "<svg xmlns='http://www.w3.org/2000/svg'/>", "<html><script>", "GIF89a________________",
        "%PDF-1.7", "RIFF____WAVEfmt ____________________",
    ])
    func `is not that of other files`(text: String) {
        #expect(throws: PictureFault.otherFormat) { try PictureFile(Array(text.utf8)) }
    }

    @Test func `is refused when it is cut off, or its size is out of bounds`() throws {
        for name in ["street.jpg", "street.png", "street.webp"] {
            let whole = try Self.fixture(name)
            #expect(throws: PictureFault.self) { try PictureFile(Array(whole.prefix(20))) }
        }
        var png = try Self.fixture("street.png")
        png.replaceSubrange(16..<24, with: [0, 0, 0x40, 1, 0, 0, 0, 1])
        #expect(throws: PictureFault.tooLarge(width: 16_385, height: 1)) { try PictureFile(png) }
        png.replaceSubrange(16..<24, with: [0, 0, 0x40, 0, 0, 0, 0x40, 0])
        #expect(throws: PictureFault.tooLarge(width: 16_384, height: 16_384)) {
            try PictureFile(png)
        }
        png.replaceSubrange(16..<24, with: [0, 0, 0, 0, 0, 0, 0, 9])
        #expect(throws: PictureFault.tooLarge(width: 0, height: 9)) { try PictureFile(png) }
    }

    @Test func `is read or refused in words, whatever the bytes`() throws {
        let samples = try ["street.jpg", "street.png", "street.webp"].map(Self.fixture)
        for sample in samples { #expect(try MediaParsers.picture(sample)) }
        var fuzzer = Fuzzer(samples: samples)
        let tally = try fuzzer.run("picture", MediaParsers.picture)
        #expect(tally.accepted > 0 && tally.refused > 0)
    }
}
