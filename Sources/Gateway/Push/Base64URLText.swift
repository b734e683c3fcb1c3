// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// Base64 as Web Push spells keys and proofs.
extension Data {
    var base64URL: String { Base64URL.text(Array(self)) }

    /// Reads the text; padding may be there, as some browsers write it.
    init?(base64URL text: String) {
        guard let bytes = Base64URL.bytes(text.replacing("=", with: "")) else { return nil }
        self.init(bytes)
    }
}
