// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media
import MediaTesting

/// Reads the numbers on the pictures of any WebM file back.
enum Numbers {
    static func printAll(of path: String) throws {
        var parser = WebMParser()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let frames = try parser.push(bytes)
        guard let codec = parser.track?.codec else { return }
        let decoder = try VideoDecoder(codec)
        for frame in frames {
            for picture in try decoder.decode(frame.bytes) {
                print(
                    frame.milliseconds,
                    picture.size,
                    BarCode.read(picture).map(String.init) ?? "-"
                )
            }
        }
    }
}
