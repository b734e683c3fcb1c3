// SPDX-License-Identifier: Apache-2.0
import Events
import Media
import Projections
import Synchronization

/// Public copies of photos: drawn anew in the sandboxed child, without anything that a file tells besides its picture.
///
/// They are made when somebody asks, and the last ones are kept in memory alone; who asks for one of an erased reporter is turned
/// away before it is looked for.
final class PublicPictures: Sendable {
    private let blobs: BlobFolder
    /// `nil` for a gateway that decodes nothing.
    private let desk: StillDesk?
    private let kept = Mutex(Kept())

    /// What is kept at most, in bytes.
    private static let bytesMax = 64 * 1_024 * 1_024

    init(_ blobs: BlobFolder, madeBy desk: StillDesk?) {
        (self.blobs, self.desk) = (blobs, desk)
    }

    /// The public copy of a photo.
    ///
    /// - Parameters:
    ///   - photo: Which one; only a JPEG has a copy.
    ///   - maxSide: The longer side, in pixels.
    ///   - visitor: Who wants to see it.
    /// - Returns: A JPEG.
    /// - Throws: 404 for what has no copy; 410 for one whose key is gone; 429 and 503 where too many are being made.
    func copy(of photo: ReportPhoto, maxSide: Int, for visitor: String) async throws -> [UInt8] {
        let name = Name(blob: photo.blob, side: maxSide)
        if let known = kept.withLock({ $0.copy(name) }) { return known }
        guard let desk, photo.mediaType == .jpeg, !kept.withLock({ $0.isHopeless(name.blob) })
        else { throw Self.noCopy }
        let copy: [UInt8]
        do {
            copy = try await desk.publicCopy(
                of: { [blobs] in
                    guard let photo = try await blobs.open(photo.blob, of: photo.person) else {
                        throw Problem.pictureErased
                    }
                    return photo
                },
                sideMax: maxSide,
                for: visitor
            )
        } catch PublicCopyFault.notMade(.overloaded), PublicCopyFault.notMade(.unavailable) {
            throw Problem(.unavailable, detail: "the picture cannot be made now; ask again")
        } catch is PublicCopyFault {
            // Also where the child died of it, or took too long: nobody makes it try again and again.
            kept.withLock { $0.giveUp(name.blob) }
            throw Self.noCopy
        }
        kept.withLock { $0.keep(copy, name, bytesMax: Self.bytesMax) }
        return copy
    }

    private static let noCopy = Problem(.notFound, detail: "this photo has no public copy")

    private struct Name: Hashable {
        let blob: SHA256Digest
        let side: Int
    }

    /// The copies asked for last, within so many bytes.
    private struct Kept {
        private var copies: [Name: [UInt8]] = [:]
        /// The one asked for longest ago first.
        private var order: [Name] = []
        private var bytes = 0
        /// Photos of which no copy can be made, the newest last.
        private var hopeless: [SHA256Digest] = []

        func isHopeless(_ photo: SHA256Digest) -> Bool { hopeless.contains(photo) }

        mutating func giveUp(_ photo: SHA256Digest) {
            hopeless.append(photo)
            hopeless.removeFirst(max(0, hopeless.count - 1_000))
        }

        mutating func copy(_ name: Name) -> [UInt8]? {
            guard let copy = copies[name] else { return nil }
            order.removeAll { $0 == name }
            order.append(name)
            return copy
        }

        mutating func keep(_ copy: [UInt8], _ name: Name, bytesMax: Int) {
            guard copies[name] == nil else { return }
            copies[name] = copy
            order.append(name)
            bytes += copy.count
            while bytes > bytesMax, !order.isEmpty {
                bytes -= copies.removeValue(forKey: order.removeFirst())?.count ?? 0
            }
        }
    }
}
