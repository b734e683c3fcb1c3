// SPDX-License-Identifier: Apache-2.0
import Events

/// The parts of a summary as one text: a line each, `name=value` in the clear or `name~field` sealed.
struct SummaryText {
    private(set) var text = ""

    init(_ parts: [SummaryPart]) {
        for part in parts {
            switch part.value {
            case .text(let value): append(part.name, "=", value)
            case .sealed(let field): append(part.name, "~", field.storedText)
            }
        }
    }

    private mutating func append(_ name: String, _ sign: String, _ value: String) {
        if !text.isEmpty { text += "\n" }
        text += name
        text += sign
        // Lines part the parts, so a line end inside a value is spelt out.
        guard value.utf8.contains(where: { $0 == 10 || $0 == 92 }) else {
            text += value
            return
        }
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    /// Reads the parts back; `nil` if the text was not written here.
    ///
    /// Byte by byte: as characters, a sign and what follows it may melt into one.
    static func parts(of text: String) -> [SummaryPart]? {
        var parts: [SummaryPart] = []
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            guard
                let sign = line.firstIndex(where: {
                    $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "~")
                })
            else { return nil }
            let name = String(Substring(line[..<sign]))
            let value = unescaped(Substring(line[line.index(after: sign)...]))
            if line[sign] == UInt8(ascii: "=") {
                parts.append(SummaryPart(name: name, value: .text(value)))
            } else {
                guard let field = SealedField(storedText: value) else { return nil }
                parts.append(SummaryPart(name: name, value: .sealed(field)))
            }
        }
        return parts
    }

    private static func unescaped(_ text: Substring) -> String {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return String(text) }
        var plain = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isEscaped {
                plain.append(scalar == "n" ? "\n" : scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                plain.append(scalar)
            }
        }
        return String(plain)
    }
}
