// SPDX-License-Identifier: Apache-2.0
import Foundation
import Media
import MediaTesting

/// Writes numbered pictures as YUV4MPEG2, which browsers and ffmpeg take for a camera.
struct Camera {
    let width: Int
    let height: Int
    let frames: Int

    func write(to path: String) throws {
        try Data("YUV4MPEG2 W\(width) H\(height) F25:1 Ip A1:1 C420jpeg\n".utf8)
            .write(to: URL(fileURLWithPath: path))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.seekToEnd()
        let pictures = TestPictures(size: PictureSize(width: width, height: height))
        for number in 0..<frames {
            let picture = pictures[number]
            let planes = picture.luma + picture.blue + picture.red
            try file.write(contentsOf: Data("FRAME\n".utf8) + Data(planes))
        }
        try file.close()
    }
}
