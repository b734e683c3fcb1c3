// SPDX-License-Identifier: Apache-2.0
/// A policy's numbers as one text: `limitSeconds=120 step=5`, by name.
struct PolicySettings {
    let text: String

    init(_ numbers: [String: Int]) {
        text = numbers.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            .joined(separator: " ")
    }

    /// Reads the text back; `nil` if it was not written here.
    static func numbers(of text: String) -> [String: Int]? {
        var numbers: [String: Int] = [:]
        for word in text.split(separator: " ") {
            guard let sign = word.lastIndex(of: "="),
                let number = Int(word[word.index(after: sign)...])
            else { return nil }
            numbers[String(word[..<sign])] = number
        }
        return numbers
    }
}
