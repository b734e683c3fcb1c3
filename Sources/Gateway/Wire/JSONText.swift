// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Single JSON values as text.
enum JSONText {
    /// A string in quotes, escaped.
    static func quoted(_ text: String) -> String {
        do {
            return String(decoding: try JSONBody.encoder.encode(text), as: UTF8.self)
        } catch {
            preconditionFailure("a string always encodes as JSON: \(error)")
        }
    }

    /// The text of a string in quotes.
    static func string(_ json: String) throws -> String {
        try JSONDecoder().decode(String.self, from: Data(json.utf8))
    }
}
