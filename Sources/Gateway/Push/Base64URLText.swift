// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Base64 with `-` and `_`, without padding (RFC 4648 §5): how Web Push spells keys and proofs.
extension Data {
    var base64URL: String {
        base64EncodedString()
            .replacing("+", with: "-")
            .replacing("/", with: "_")
            .replacing("=", with: "")
    }

    /// Reads the text; padding may be there, as some browsers write it.
    init?(base64URL text: String) {
        let plain = text.replacing("=", with: "")
        guard !plain.contains("+"), !plain.contains("/") else { return nil }
        let padded =
            plain.replacing("-", with: "+").replacing("_", with: "/")
            + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        self.init(base64Encoded: padded)
    }
}
