// SPDX-License-Identifier: Apache-2.0
import Foundation
import NIOCore

/// One file of the web pages, as it is answered.
struct PageFile: Sendable {
    let bytes: ByteBuffer
    let contentType: String
    let entityTag: EntityTag

    /// - Returns: `nil` for a kind of file that no page has.
    init?(_ bytes: Data, extension name: String) {
        guard let contentType = Self.contentTypes[name.lowercased()] else { return nil }
        self.contentType = contentType
        self.bytes = ByteBuffer(bytes: bytes)
        entityTag = EntityTag(of: bytes)
    }

    /// What pages are made of; `nosniff` makes the exact type matter.
    private static let contentTypes = [
        "html": "text/html; charset=utf-8",
        "js": "text/javascript; charset=utf-8",
        "css": "text/css; charset=utf-8",
        "json": "application/json",
        "webmanifest": "application/manifest+json",
        "svg": "image/svg+xml",
        "png": "image/png",
        "woff2": "font/woff2",
    ]
}
