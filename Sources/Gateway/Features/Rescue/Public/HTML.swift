// SPDX-License-Identifier: Apache-2.0

/// A piece of HTML.
///
/// What is interpolated is escaped, for text and for quoted attributes, unless it is HTML itself. A literal in a conditional
/// expression is a text, and escaped, unless the type is said.
///
/// ```swift
/// let item: HTML = "<li title=\"\(name)\">\(name)</li>"
/// ```
struct HTML: ExpressibleByStringInterpolation, Sendable {
    let text: String

    /// Takes markup of the program's own as it stands; never a text that came from outside.
    init(stringLiteral markup: String) { text = markup }

    init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

    struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(2 * literalCapacity)
        }

        mutating func appendLiteral(_ markup: String) { text += markup }

        mutating func appendInterpolation(_ words: String) { text += HTML.escaped(words) }

        mutating func appendInterpolation(_ number: Int) { text += "\(number)" }

        mutating func appendInterpolation(_ html: HTML) { text += html.text }

        /// Nothing for `nil`.
        mutating func appendInterpolation(_ html: HTML?) { text += html?.text ?? "" }

        mutating func appendInterpolation(_ pieces: [HTML]) {
            for piece in pieces { text += piece.text }
        }
    }

    private static func escaped(_ words: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in words.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;".unicodeScalars
            case "<": result += "&lt;".unicodeScalars
            case ">": result += "&gt;".unicodeScalars
            case "\"": result += "&quot;".unicodeScalars
            case "'": result += "&#39;".unicodeScalars
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
