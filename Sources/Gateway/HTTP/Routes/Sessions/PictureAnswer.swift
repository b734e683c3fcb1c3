// SPDX-License-Identifier: Apache-2.0
import Events
import Hummingbird
import HummingbirdCore
import NIOCore

/// A picture as the body of an answer, opened piece by piece as fast as the reader takes it, for as long as the reader may
/// have it.
struct PictureAnswer: Sendable {
    let blobs: BlobFolder
    let blob: SHA256Digest
    /// Whose key encrypts it.
    let person: PersonID
    let length: Int
    let pieceBytes: Int
    /// Throws once the reader may have no more; asked before each piece.
    let stillMay: @Sendable () async throws -> Void

    /// The body, with its length told ahead.
    ///
    /// - Parameter seat: Held until the body has gone.
    /// - Returns: Nothing of it is read yet.
    func body(holding seat: SocketQuota.Seat?) -> ResponseBody {
        ResponseBody(contentLength: length) { writer in
            for start in stride(from: 0, to: length, by: pieceBytes) {
                let piece = try await piece(start..<min(length, start + pieceBytes))
                try await stillMay()
                try await writer.write(piece)
            }
            try await writer.finish(nil)
            withExtendedLifetime(seat) {}
        }
    }

    private func piece(_ range: Range<Int>) async throws -> ByteBuffer {
        guard let bytes = try await blobs.piece(range, of: blob, of: person) else {
            throw Problem.pictureErased
        }
        return ByteBuffer(bytes: bytes)
    }
}
