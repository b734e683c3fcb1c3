// SPDX-License-Identifier: Apache-2.0
import Hummingbird

/// The beginning of a telephone number by which somebody is looked for, from the country's code on: `+44771`.
///
/// It is read as people write numbers: in Britain `0771`, `+44 (0)771` and `0044 771` begin the same ones. The pages read numbers by the same rule
/// (`web/core/phone.js`), and both are held to `fixtures/phones`.
struct PhonePrefix: Sendable, Hashable {
    /// With the plus, as the read models have whole numbers.
    let text: String

    /// Reads what somebody wrote; `nil` where there is no digit, and for more than anybody writes.
    ///
    /// - Parameters:
    ///   - written: A number or its beginning.
    ///   - country: The site's; without it a number begins with its country's code.
    init?(_ written: String, in country: Country?) {
        guard written.utf8.count <= Self.bytesMax else { return nil }
        let digits = Self.digits(of: written, in: country)
        guard !digits.isEmpty else { return nil }
        text = "+" + digits
    }

    private static func digits(of written: String, in country: Country?) -> String {
        let digits = bare(written)
        let hasPlus = written.first { !$0.isWhitespace && $0 != "(" } == "+"
        let abroad = hasPlus ? nil : country.internationalPrefixes.first(where: digits.hasPrefix)
        guard let country, !hasPlus, abroad == nil, !digits.isEmpty else {
            // Behind the country's code (0) says what is dialled at home.
            let whole = bare(written.replacing(/\(\s*0\s*\)/, with: ""))
                .dropFirst(abroad?.count ?? 0)
            // No country's code begins with 0: two of them stand for a plus that was written, too.
            return String(whole.hasPrefix("00") ? whole.dropFirst(2) : whole)
        }
        guard let trunk = country.trunkPrefix else {
            return digits.count > country.digitsMost ? digits : country.callingCode + digits
        }
        return digits.hasPrefix(trunk)
            ? country.callingCode + digits.dropFirst(trunk.count) : digits
    }

    private static func bare(_ written: String) -> String {
        written.filter { $0.isASCII && $0.isNumber }
    }

    /// Twice what anybody writes.
    private static let bytesMax = 64
}

extension Country? {
    /// What stands for the plus.
    fileprivate var internationalPrefixes: [String] {
        guard let country = self else { return ["00"] }
        return country.internationalPrefix.map { [$0, "00"] } ?? []
    }
}

extension Request {
    /// The beginning of a telephone number in the query; `nil` where there is none.
    ///
    /// - Throws: 422 for a text without a digit: by it everybody would be found, or nobody.
    func phonePrefix(_ name: String, of site: Site) throws(Problem) -> PhonePrefix? {
        guard let text = text(name) else { return nil }
        // A "+" in a query may have become a blank; behind it stands a country's code, which never begins with 0.
        let isPlus = text.first == " " && ("1"..."9").contains(text.dropFirst().first ?? " ")
        guard let prefix = PhonePrefix(isPlus ? "+" + text : text, in: site.dialling) else {
            throw Problem(
                .phoneWithoutDigits,
                detail: "\(name) is a telephone number or its beginning, such as %2B447712"
            )
        }
        return prefix
    }
}

extension ProblemType {
    fileprivate static let phoneWithoutDigits = Self(
        "phone-without-digits",
        .unprocessableContent,
        "No telephone number"
    )
}
