// SPDX-License-Identifier: Apache-2.0
/// What the bytes of a picture say of themselves: its format and its size in pixels.
///
/// Reads the head alone and decodes nothing; whoever shows the picture does that. O(bytes before the
/// frame header).
public struct PictureFile: Hashable, Sendable {
    /// The formats that every browser shows.
    public enum Format: String, Hashable, Sendable, CaseIterable {
        case jpeg
        case png
        case webP
    }

    public let format: Format
    /// In pixels.
    public let width: Int
    public let height: Int

    /// Reads the head of a picture.
    ///
    /// - Throws: ``PictureFault`` for other formats, heads that are cut off, and sizes out of bounds.
    public init(_ bytes: [UInt8]) throws(PictureFault) {
        let size: (width: Int, height: Int)?
        switch Self.format(of: bytes) {
        case .jpeg?: (format, size) = (.jpeg, JPEGHead.size(in: bytes))
        case .png?: (format, size) = (.png, PNGHead.size(in: bytes))
        case .webP?: (format, size) = (.webP, WebPHead.size(in: bytes))
        case nil: throw .otherFormat
        }
        guard let size else { throw .unreadable(format) }
        let sides = 1...MediaLimits.stillSideMax
        guard sides.contains(size.width), sides.contains(size.height),
            size.width * size.height <= MediaLimits.stillPixelsMax
        else { throw .tooLarge(width: size.width, height: size.height) }
        (width, height) = size
    }

    static func format(of bytes: [UInt8]) -> Format? {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        if bytes.starts(with: PNGHead.signature) { return .png }
        let isRIFF = bytes.starts(with: Array("RIFF".utf8))
        return isRIFF && bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) ? .webP : nil
    }
}

/// Why bytes are not taken for a picture.
public enum PictureFault: Error, Hashable, Sendable, CustomStringConvertible {
    case otherFormat
    case unreadable(PictureFile.Format)
    case tooLarge(width: Int, height: Int)

    public var description: String {
        switch self {
        case .otherFormat: "it is no JPEG, PNG or WebP; send the picture in one of these"
        case .unreadable(let format):
            "it begins as \(format) and its size cannot be read; send the file whole"
        case .tooLarge(let width, let height):
            "it has \(width) × \(height) pixels; a side has 1 to \(MediaLimits.stillSideMax), the picture at most \(MediaLimits.stillPixelsMax)"
        }
    }
}
