// SPDX-License-Identifier: Apache-2.0
/// Comma-separated values (RFC 4180, with line feeds).
public enum CSVText {
    /// Writes rows, each with its fields in order; every row ends with a line feed.
    public static func of(_ rows: [[String]]) -> String {
        rows.map { $0.map(field).joined(separator: ",") + "\n" }.joined()
    }

    /// A text that a spreadsheet would take for a formula is marked as text.
    ///
    /// It goes by scalars: a mark that is joined to a comma, and `\r\n`, are one character each.
    private static func field(_ text: String) -> String {
        let first = text.unicodeScalars.first
        let isFormula =
            first.map { "=@\t\r\n".unicodeScalars.contains($0) } ?? false
            || (first.map { "+-".unicodeScalars.contains($0) } ?? false) && Double(text) == nil
        let safe = isFormula ? "'" + text : text
        guard safe.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) })
        else { return safe }
        var quoted = String.UnicodeScalarView()
        for scalar in safe.unicodeScalars {
            if scalar == "\"" { quoted.append(scalar) }
            quoted.append(scalar)
        }
        return "\"" + String(quoted) + "\""
    }
}
