// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Every number that one GET could make too large ended the process once: each was parsed or converted by hand.
@Suite struct `A number in the sources` {
    @Test(arguments: ["Gateway", "Projections", "Replay"])
    func `is not converted from a position where it may not fit`(module: String) throws {
        try expectNone(
            in: module,
            of: /\bInt(?:64|32)?\((?!clamping|truncatingIfNeeded|exactly)[a-z$][^()]*rawValue/,
            because: "use the position itself, or Int(clamping:)"
        )
    }

    @Test(arguments: ["Gateway", "Replay", "daybook"])
    func `that comes as text is read by NumberText`(module: String) throws {
        let byHand =
            /flatMap(?:\(|\s*\{\s*)\(?(?:U?Int\d*|Double|LogPosition)(?:\.init|\(\$0\))/
        try expectNone(
            in: module,
            of: byHand,
            because: "NumberText.whole, NumberText.real or Cursor"
        )
        let text = /\b(?:U?Int(?:8|16|32|64)?|Double)\((?:text|string|moment|description)\b/
        try expectNone(in: module, of: text, because: "NumberText.whole, NumberText.real or Cursor")
    }

    /// What only the sources' own text can get wrong: a hash of ours in our own database.
    private static let own = ["PasswordHash.swift"]

    private func expectNone(
        in module: String,
        of pattern: some RegexComponent,
        because words: String
    ) throws {
        for file in try files(below: "Sources/\(module)", "swift")
        where !Self.own.contains(file.lastPathComponent) {
            let lines = try String(contentsOf: file, encoding: .utf8).split(
                separator: "\n",
                omittingEmptySubsequences: false
            )
            for (number, line) in lines.enumerated() where !line.contains("///") {
                #expect(
                    line.firstMatch(of: pattern) == nil,
                    "\(file.lastPathComponent):\(number + 1): \(line.trimmingCharacters(in: .whitespaces)): \(words)"
                )
            }
        }
    }
}
