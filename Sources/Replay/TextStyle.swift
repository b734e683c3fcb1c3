// SPDX-License-Identifier: Apache-2.0
/// How text for people is coloured: not at all, or for a terminal.
public struct TextStyle: Sendable {
    private let isColoured: Bool

    /// No colours: for files, pipes and whoever asks for none.
    public static let plain = TextStyle(isColoured: false)
    /// The usual escape sequences of terminals.
    public static let terminal = TextStyle(isColoured: true)

    func bold(_ text: String) -> String { wrap(text, "1") }
    func dim(_ text: String) -> String { wrap(text, "2") }
    func red(_ text: String) -> String { wrap(text, "31;1") }
    func green(_ text: String) -> String { wrap(text, "32;1") }
    func yellow(_ text: String) -> String { wrap(text, "33") }
    func cyan(_ text: String) -> String { wrap(text, "36") }

    private func wrap(_ text: String, _ code: String) -> String {
        isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

extension String {
    /// Text as somebody chose it, without what could move the cursor, turn the writing or begin a line.
    public var printable: String {
        let clean = unicodeScalars.map { scalar -> Unicode.Scalar in
            // What joins signs, as in emoji and flags, moves nothing.
            if "\u{200C}" <= scalar && scalar <= "\u{200D}"
                || "\u{E0020}" <= scalar && scalar <= "\u{E007F}"
            {
                return scalar
            }
            return switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(clean))
    }

    /// ``printable``, as one value among others on a line: in quotes, which it cannot end, unless it is a plain word; a line break in it is
    /// `\n`.
    var quoted: String {
        let isWord = !unicodeScalars.contains { scalar in
            scalar.properties.isWhitespace || "“”\\=".unicodeScalars.contains(scalar)
        }
        guard !isWord else { return printable }
        var inside = replacing("\\", with: "\\\\").replacing("”", with: "\\”")
        for end in ["\r\n", "\n", "\r", "\u{2028}", "\u{2029}"] {
            inside = inside.replacing(end, with: "\\n")
        }
        return "“\(inside.replacing("\t", with: "\\t").printable)”"
    }
}
