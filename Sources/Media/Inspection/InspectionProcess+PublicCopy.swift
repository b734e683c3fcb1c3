// SPDX-License-Identifier: Apache-2.0

extension InspectionProcess {
    /// Makes a public copy of a photo: a JPEG, smaller and upright, that tells nothing but what is to be seen.
    ///
    /// A photo that kills the child costs what its decoders knew; use a process that inspects no stream.
    ///
    /// - Parameters:
    ///   - photo: The photo as it was sent, a JPEG file.
    ///   - sideMax: The longer side of the copy, in pixels; a smaller photo keeps its size.
    /// - Returns: The copy.
    /// - Throws: ``PublicCopyFault``.
    public nonisolated func publicCopy(
        of photo: [UInt8],
        sideMax: Int = MediaLimits.publicCopySideMax
    ) async throws(PublicCopyFault) -> [UInt8] {
        precondition((1...MediaLimits.publicCopySideMax).contains(sideMax), "no side of a copy")
        let file: PictureFile
        do { file = try PictureFile(photo) } catch { throw .notTaken(error) }
        guard file.format == .jpeg else { throw .notJPEG(file.format) }
        guard file.width * file.height <= MediaLimits.publicCopyPixelsMax else {
            throw .tooManyPixels(PictureSize(width: file.width, height: file.height))
        }
        let request = PublicCopyRequest(sideMax: sideMax, photo: photo)
        let answer = await whenNotOverloaded {
            await self.answer(to: request.encoded()) { $0 }
        }
        let copy: [UInt8]
        do { copy = try (answer ?? .failure(.overloaded)).get() } catch { throw .notMade(error) }
        guard !copy.isEmpty else { throw .undecodable }
        guard Self.isBare(copy, within: sideMax) else {
            throw .notMade(.unavailable("the child's answer is no public copy"))
        }
        return copy
    }

    /// Whether bytes begin as the library begins a JPEG, with tables and a frame alone: a child may have been taken over.
    private nonisolated static func isBare(_ copy: [UInt8], within sideMax: Int) -> Bool {
        guard let size = JPEGHead.size(in: copy), max(size.width, size.height) <= sideMax else {
            return false
        }
        // JFIF, quantization, frame, Huffman.
        return JPEGSegments(copy).allSatisfy { [0xE0, 0xDB, 0xC0, 0xC4].contains($0.marker) }
    }
}

/// Why there is no public copy of a photo.
public enum PublicCopyFault: Error, Hashable, Sendable, CustomStringConvertible {
    case notJPEG(PictureFile.Format)
    /// It is no photo that is taken at all.
    case notTaken(PictureFault)
    case tooManyPixels(PictureSize)
    /// It begins well, but is damaged or cut off, is no RGB or grey picture, or takes more memory than the child has.
    case undecodable
    /// The child did not make it.
    case notMade(InspectionOutcome.Reason)

    public var description: String {
        switch self {
        case .notJPEG(let format):
            "a \(format.rawValue) picture has no public copy; only JPEG photos are published"
        case .notTaken(let fault): "no public copy: \(fault)"
        case .tooManyPixels(let size):
            "no public copy of \(size) pixels; the most are \(MediaLimits.publicCopyPixelsMax)"
        case .undecodable:
            "no public copy: the photo is damaged, cut off, or of a kind that is not read"
        case .notMade(let reason): "no public copy: \(reason)"
        }
    }
}
