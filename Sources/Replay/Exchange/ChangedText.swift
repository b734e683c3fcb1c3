// SPDX-License-Identifier: Apache-2.0

/// What programs do to a text on its way that counts byte by byte: editors, mail, spreadsheets.
enum ChangedText {
    /// Looks what was done to a line.
    ///
    /// - Parameters:
    ///   - line: Without its line feed.
    ///   - number: Counted from 1.
    /// - Returns: It, with the line's number; `nil` where nothing is seen.
    static func fault(in line: some BidirectionalCollection<UInt8>, number: Int) -> String? {
        let start = Array(line.prefix(3))
        if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF])
            || line.contains(0)
        {
            return "line \(number) is not UTF-8: it looks like UTF-16"
        }
        if start == [0xEF, 0xBB, 0xBF] { return "line \(number) begins with a byte order mark" }
        if start.starts(with: Array("> ".utf8)) { return "line \(number) is quoted with >" }
        switch line.last {
        case UInt8(ascii: "\r"): return "line \(number) ends in CR LF"
        case UInt8(ascii: " "), UInt8(ascii: "\t"): return "line \(number) ends in a blank"
        default: return nil
        }
    }

    /// What was done to a signed note; `nil` where nothing is seen.
    static func fault(inNote bytes: [UInt8]) -> String? {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if let fault = fault(in: line, number: index + 1) { return fault }
            if line.starts(with: Array("- ".utf8)) || line.starts(with: Array("– ".utf8)) {
                return "line \(index + 1) begins with a short dash in the place of the long one"
            }
        }
        return lines.last?.isEmpty == false ? "line \(lines.count) has no end" : nil
    }
}
