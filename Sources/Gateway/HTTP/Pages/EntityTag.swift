// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import HTTPTypes
import Hummingbird

/// Names an answer by its bytes (RFC 9110 §8.8.3), so that a browser asks for them again only when they changed.
struct EntityTag: Sendable, Hashable {
    /// As the field `ETag` has it.
    let text: String

    init(of bytes: Data) {
        let digest = Data(SHA256.hash(data: bytes).prefix(16))
        text = "\"\(digest.base64EncodedString())\""
    }

    /// Whether who asks has these bytes: `If-None-Match`, whose tags may have become weak on their way (§13.1.2).
    func isKnown(to request: Request) -> Bool {
        WebSocketHandshake.list(request.headers[values: .ifNoneMatch])
            .contains { ($0.hasPrefix("W/") ? $0.dropFirst(2) : $0[...]) == text }
    }
}
