// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Writes a document of XML 1.0 in UTF-8, element by element; always well-formed.
///
/// Element and attribute names are the program's own; every other text may come from outside.
struct XMLWriter {
    private var document = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

    var data: Data { Data(document.utf8) }

    /// Writes an element around what `content` writes; an empty one without it.
    mutating func element(
        _ name: String,
        _ attributes: KeyValuePairs<String, String> = [:],
        _ content: (inout XMLWriter) -> Void = { _ in }
    ) {
        document += "<\(name)"
        for (key, value) in attributes { document += " \(key)=\"\(Self.escaped(value))\"" }
        document += ">"
        content(&self)
        document += "</\(name)>\n"
    }

    /// Writes an element that holds a text.
    mutating func text(_ name: String, _ text: String) {
        element(name) { $0.document += Self.escaped(text) }
    }

    /// Writes an element that holds a text, unless that is `nil` or blank.
    mutating func optionalText(_ name: String, _ text: String?) {
        if let text, !Self.isBlank(text) { self.text(name, text) }
    }

    /// The times that can be written, in seconds since 1970: up to the end of the year 9999.
    static let secondsRange = 0.0...253_402_300_799.0

    /// A time in UTC to the second, rounded down, ending in `zone`; 1970 outside the range.
    static func time(_ date: Date, zone: String) -> String {
        let seconds = date.timeIntervalSince1970
        let whole = secondsRange.contains(seconds) ? seconds.rounded(.down) : 0
        return Date(timeIntervalSince1970: whole).ISO8601Format().dropLast() + zone
    }

    /// Tells whether a document can carry the character: control characters except tab and line
    /// end, and noncharacters such as U+FFFE, are left out (XML 1.0 §2.2).
    static func isCarried(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\t" || scalar == "\n"
            || scalar.properties.generalCategory != .control
                && !scalar.properties.isNoncharacterCodePoint
    }

    /// Tells whether a document would show nothing of the text.
    static func isBlank(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { !isCarried($0) || $0.properties.isWhitespace }
    }

    /// The text with every line end as LF, markup as references and uncarried characters left out.
    private static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.replacing("\r\n", with: "\n").replacing("\r", with: "\n").unicodeScalars
        where isCarried(scalar) {
            switch scalar {
            case "&": result += "&amp;".unicodeScalars
            case "<": result += "&lt;".unicodeScalars
            case ">": result += "&gt;".unicodeScalars
            case "\"": result += "&quot;".unicodeScalars
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
