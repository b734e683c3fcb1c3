// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTPTypes
import Hummingbird
import Maps
import NIOCore

/// One file of the web pages, as it is answered: its bytes, and those of gzip where they are fewer.
struct PageFile: Sendable {
    let contentType: String
    let plain: Form
    /// For browsers that take gzip, made once.
    ///
    /// A form of its own has a tag of its own (RFC 9110 §8.8.3.3).
    let compressed: Form?

    /// The bytes of one answer.
    struct Form: Sendable {
        let bytes: ByteBuffer
        let entityTag: EntityTag

        init(_ bytes: Data) {
            self.bytes = ByteBuffer(bytes: bytes)
            entityTag = EntityTag(of: bytes)
        }
    }

    var bytes: ByteBuffer { plain.bytes }

    /// `nil` for a kind of file that no page has.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - name: Its extension, which decides the type.
    ///   - isCompressed: Whether it is compressed, too; who serves a file once does not.
    init?(_ bytes: Data, extension name: String, isCompressed: Bool = true) {
        guard let kind = Self.kinds[name.lowercased()] else { return nil }
        contentType = kind.contentType
        plain = Form(bytes)
        guard isCompressed, kind.isText, bytes.count > Self.compressedFrom else {
            compressed = nil
            return
        }
        let fewer = Data(Gzip.compressed([UInt8](bytes)))
        compressed = fewer.count < bytes.count ? Form(fewer) : nil
    }

    /// Whether a kind of file is one that pages have.
    static func isServed(_ name: String) -> Bool { kinds[name.lowercased()] != nil }

    /// The answer to whoever asks for the file: as gzip if they take it, and nothing but its tag if they have it.
    ///
    /// - Parameters:
    ///   - request: What is asked.
    ///   - headers: What the answer says besides.
    /// - Returns: The answer.
    func response(to request: Request, _ headers: HTTPFields) -> Response {
        var headers = headers
        let form = request.takesGzip ? compressed ?? plain : plain
        headers[.contentType] = contentType
        headers[.eTag] = form.entityTag.text
        if compressed != nil { headers[.vary] = "accept-encoding" }
        let isKnown = [plain, compressed].contains { $0?.entityTag.isKnown(to: request) == true }
        guard !isKnown else { return Response(status: .notModified, headers: headers) }
        if request.takesGzip, compressed != nil { headers[.contentEncoding] = "gzip" }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: form.bytes))
    }

    /// A file this small gains nothing on its way.
    private static let compressedFrom = 256

    private struct Kind {
        let contentType: String
        var isText = true
    }

    /// What pages are made of; `nosniff` makes the exact type matter.
    private static let kinds = [
        "html": Kind(contentType: "text/html; charset=utf-8"),
        "js": Kind(contentType: "text/javascript; charset=utf-8"),
        "css": Kind(contentType: "text/css; charset=utf-8"),
        "json": Kind(contentType: "application/json"),
        "webmanifest": Kind(contentType: "application/manifest+json"),
        "svg": Kind(contentType: "image/svg+xml"),
        "xml": Kind(contentType: "application/xml"),
        "png": Kind(contentType: "image/png", isText: false),
        "woff2": Kind(contentType: "font/woff2", isText: false),
    ]
}

extension Request {
    /// Whether who asks names gzip and does not refuse it (RFC 9110 §12.5.3); `*` alone is no wish.
    fileprivate var takesGzip: Bool {
        let lines = headers[values: .acceptEncoding]
        let length = lines.reduce(0) { $0 + $1.utf8.count }
        guard length <= PageLimits.encodingWishBytes else { return false }
        return WebSocketHandshake.list(lines).contains { word in
            let parts = word.lowercased().split(separator: ";").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            return parts.first == "gzip" && !parts.dropFirst().contains(where: Self.isRefusal)
        }
    }

    /// Whether a parameter is a weight of nothing: `q=0`, with up to three zeros behind a point.
    private static func isRefusal(_ parameter: String) -> Bool {
        ["q=0", "q=0.", "q=0.0", "q=0.00", "q=0.000"].contains(parameter)
    }
}
