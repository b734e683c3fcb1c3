// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Hummingbird

/// The words of the public pages in one language: a catalogue beside the other files of the pages.
struct PublicWords: Sendable {
    let language: Language
    private let texts: [String: String]

    enum Language: String, CaseIterable, Sendable {
        case en, de

        /// The best of those that a browser asks for (RFC 9110 §12.5.4); English where it asks for none of ours.
        ///
        /// - Parameter lines: The fields `Accept-Language`.
        init(wished lines: [String]) {
            let wishes = WebSocketHandshake.list(lines).prefix(Self.wishesMax).compactMap {
                item -> (language: Language, weight: Double)? in
                let parts = item.lowercased().split(separator: ";").map {
                    $0.trimmingCharacters(in: .whitespaces)
                }
                let code = parts.first?.prefix { $0 != "-" } ?? ""
                guard let language = Language(rawValue: String(code)) else { return nil }
                let weight = parts.dropFirst().first { $0.hasPrefix("q=") }
                return (
                    language,
                    weight.map { NumberText.real($0.dropFirst(2), in: 0...1) ?? 0 } ?? 1
                )
            }
            let best = wishes.max { $0.weight < $1.weight }
            self = best.map { $0.weight > 0 ? $0.language : .en } ?? .en
        }

        private static let wishesMax = 16

        /// As Open Graph has it.
        var locale: String {
            switch self {
            case .en: "en_US"
            case .de: "de_DE"
            }
        }
    }

    /// - Parameters:
    ///   - language: Which one.
    ///   - folder: The pages, with a catalogue for each language.
    /// - Throws: 404 where the folder has none; `DecodingError` for one that is no object of texts.
    init(_ language: Language, in folder: PageFolder) throws {
        guard let file = folder.files["pages/public/words.\(language.rawValue).json"] else {
            throw Problem(
                .unknownRoute,
                detail: "this gateway has no public pages; start it with --web and their folder"
            )
        }
        self.language = language
        texts = try JSONDecoder().decode(
            [String: String].self,
            from: Data(file.bytes.readableBytesView)
        )
    }

    /// Words by their key, with what comes in for `{name}`; the key itself where there are none.
    func callAsFunction(_ key: String, _ values: [String: String] = [:]) -> String {
        (texts[key] ?? key).replacing(#/\{([a-z]+)\}/#) { values[String($0.1)] ?? String($0.0) }
    }

    /// The same for so many: `key.one` or `key.other`.
    func callAsFunction(_ key: String, count: Int, _ values: [String: String] = [:]) -> String {
        let values = values.merging(["count": "\(count)"]) { own, _ in own }
        return self(key + (count == 1 ? ".one" : ".other"), values)
    }

    /// A word that the catalogue may lack, such as an animal of an agency's own: then as it is written.
    func term(_ family: String, _ word: String) -> String { texts["\(family).\(word)"] ?? word }

    /// A number with so many digits after the point, as the language writes it.
    func number(_ value: Double, digits: Int) -> String {
        let text = String(format: "%.\(digits)f", value)
        return language == .de ? text.replacing(".", with: ",") : text
    }

    /// How long ago something was, to the hour, after a day to the day.
    func age(of moment: Timestamp, at now: Timestamp) -> String {
        let hours = Int(max(.zero, now - moment) / .seconds(3_600))
        if hours < 2 { return self("age.now") }
        return hours < 24 ? self("age.hours", count: hours) : self("age.days", count: hours / 24)
    }

    /// About how far something is, which is no more exact than the place.
    func distance(_ metres: Double) -> String {
        guard metres >= 2_000 else { return self("near.here") }
        let miles = metres / 1_609.344
        return self(
            "near.away",
            ["km": "\(Int((metres / 1_000).rounded()))", "miles": "\(Int(miles.rounded()))"]
        )
    }
}
