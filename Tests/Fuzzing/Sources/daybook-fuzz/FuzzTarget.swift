// SPDX-License-Identifier: Apache-2.0
import EventsTesting
import Foundation
import Media
import MediaTesting
import SIPTesting

/// A parser by its name.
struct FuzzTarget {
    let name: String
    let samples: [[UInt8]]
    let examine: ([UInt8]) throws -> Bool

    static let names =
        EventParser.all.map(\.name) + SIPFuzzParser.all.map(\.name) + ["webm", "frame"]

    /// - Returns: `nil` for a name that no parser has.
    init?(_ name: String) throws {
        self.name = name
        switch name {
        case "webm":
            samples = [TestWebM.likeBrowser(try video()), TestWebM.likeFFmpeg(try video())]
            examine = MediaParsers.webM
        case "frame":
            samples = try video().frames.map { [0] + $0.bytes.prefix(40) }
            examine = MediaParsers.frameHeader
        default:
            if let parser = SIPFuzzParser.all.first(where: { $0.name == name }) {
                samples = parser.samples
                examine = parser.examine
                return
            }
            guard let parser = EventParser.all.first(where: { $0.name == name }) else { return nil }
            samples = try parser.samples()
            examine = parser.examine
        }
    }

    /// Writes right inputs into a folder where they are missing.
    func plant(in folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (number, sample) in samples.enumerated() {
            try Data(sample).write(to: folder.appending(path: "sample-\(number)"))
        }
    }
}

/// Six small pictures.
private func video() throws -> TestVideo {
    try TestVideo(
        numbers: 0..<6,
        size: PictureSize(width: 120, height: 80),
        kilobitsPerSecond: 60,
        keyFrameEvery: 3
    )
}
