// SPDX-License-Identifier: Apache-2.0
import Media

/// What must hold of the parsers of video for any bytes, however hostile.
public enum MediaParsers {
    /// A promise that one of them did not keep.
    public struct Fault: Error, CustomStringConvertible {
        public let description: String
    }

    /// WebM: frames lie in the bytes, in order; how the bytes are cut changes nothing, an error neither; another parser
    /// goes on behind any frame.
    ///
    /// - Returns: Whether all of the bytes were read.
    public static func webM(_ bytes: [UInt8]) throws -> Bool {
        let whole = read([bytes])
        for size in [1, 977] where bytes.count / size < 100_000 {
            let pieces = stride(from: 0, to: bytes.count, by: size).map {
                Array(bytes[$0..<min($0 + size, bytes.count)])
            }
            guard read(pieces) == whole else {
                throw Fault(description: "other frames by pieces of \(size)")
            }
        }
        guard case .success(let frames) = whole else { return false }
        var end = 0
        for frame in frames {
            let start = Int(frame.payloadOffset)
            guard start >= end, start + frame.bytes.count <= Int(frame.next.offset),
                frame.next.offset <= UInt64(bytes.count),
                Array(bytes[start..<start + frame.bytes.count]) == frame.bytes
            else { throw Fault(description: "the frame at \(start) is not what lies there") }
            end = start + frame.bytes.count
        }
        for (number, frame) in frames.enumerated() where number < 3 || number == frames.count - 1 {
            var parser = WebMParser(at: frame.next)
            let rest = try parser.push(bytes.dropFirst(Int(frame.next.offset)))
            guard rest == Array(frames.dropFirst(number + 1)) else {
                throw Fault(description: "behind frame \(number) others follow")
            }
        }
        return true
    }

    /// The first byte chooses VP9 or VP8, the rest is a frame: what stands behind a header does not change it.
    ///
    /// - Returns: Whether the header was read.
    public static func frameHeader(_ bytes: [UInt8]) throws -> Bool {
        guard let first = bytes.first else { return false }
        let codec: VideoCodec = first & 1 == 0 ? .vp9 : .vp8
        let frame = Array(bytes.dropFirst())
        let header: FrameHeader
        do { header = try FrameHeader(frame, codec: codec) } catch {
            guard !"\(error)".isEmpty else { throw Fault(description: "refused without a word") }
            return false
        }
        let sides = 1...MediaLimits.pictureSideMax
        if let size = header.size, !sides.contains(size.width) || !sides.contains(size.height) {
            throw Fault(description: "a picture of \(size)")
        }
        guard try FrameHeader(frame + [0xFF, 0], codec: codec) == header else {
            throw Fault(description: "bytes behind the header change it")
        }
        return true
    }

    /// The head of a photograph: its size lies in bounds, and what stands behind the file does not change it.
    ///
    /// - Returns: Whether it was taken.
    public static func picture(_ bytes: [UInt8]) throws -> Bool {
        let file: PictureFile
        do { file = try PictureFile(bytes) } catch {
            guard !"\(error)".isEmpty else { throw Fault(description: "refused without a word") }
            return false
        }
        let sides = 1...MediaLimits.stillSideMax
        guard sides.contains(file.width), sides.contains(file.height),
            file.width * file.height <= MediaLimits.stillPixelsMax
        else { throw Fault(description: "a picture of \(file)") }
        guard try PictureFile(bytes + [0xFF, 0xC0, 0]) == file else {
            throw Fault(description: "bytes behind the picture change it")
        }
        return true
    }

    /// The EXIF of a photograph: the place lies on the Earth, and there is one orientation of eight.
    ///
    /// - Returns: Whether there is a place.
    public static func origin(_ bytes: [UInt8]) throws -> Bool {
        let origin = PictureOrigin(of: bytes)
        guard (1...8).contains(origin.orientation) else {
            throw Fault(description: "an orientation of \(origin.orientation)")
        }
        guard let place = origin.place else { return false }
        guard (-90.0...90).contains(place.latitude), (-180.0...180).contains(place.longitude) else {
            throw Fault(description: "a place at \(place.latitude), \(place.longitude)")
        }
        return true
    }

    private static func read(_ pieces: [[UInt8]]) -> Result<[VideoFrame], WebMError> {
        Result { () throws(WebMError) in
            var parser = WebMParser()
            var frames: [VideoFrame] = []
            for piece in pieces { frames += try parser.push(piece) }
            return frames
        }
    }
}
