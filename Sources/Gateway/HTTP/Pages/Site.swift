// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// What every page of a site says and reckons with: whom to telephone, how numbers are written there, which time it is.
public struct Site: Sendable, Hashable {
    /// What the centre is called on its pages; `nil` where pages use their own words.
    public var name: String?
    /// What is dialled when nothing here answers.
    public var emergencyNumber = "112"
    /// Where that takes text messages; `nil` where it takes none.
    public var emergencySMS: String?
    /// ISO 3166-1 alpha-2; `nil` where people must write numbers with their country code.
    public var country: String?
    /// In which times are told on pages.
    public var zone = TimeZone.current
    /// Where people reach the pages, as links in messages have it: `https://daybook.example`; `nil` for the origin's name.
    public var publicAddress: String?
    /// Whether what is about callers stands in the feed for other centres.
    public var sharesDistress = false
    /// Whether a citizen's call for help comes into the operators' queue, too.
    public var answersCitizens = false
    /// Whether the ledger is a demo; that is the ledger's to say.
    var isDemo = false

    public init() {}

    /// Refuses what a page could not use, or would say wrongly.
    func check() throws(StartError) {
        if let name {
            guard (1...Self.nameMost).contains(name.count), name.allSatisfy(\.isPrintable) else {
                throw .siteUnusable(
                    "--site-name",
                    name,
                    remedy: "write at most \(Self.nameMost) characters, in one line"
                )
            }
        }
        guard emergencyNumber.isDigits(2...8) else {
            throw .siteUnusable(
                "--emergency-number",
                emergencyNumber,
                remedy: "write its digits alone, two to eight, such as 112"
            )
        }
        if let emergencySMS, !emergencySMS.dropPlus.isDigits(2...15) {
            throw .siteUnusable(
                "--emergency-sms",
                emergencySMS,
                remedy: "write its digits alone, such as 112 or +447700900112"
            )
        }
        if let publicAddress {
            let url = URLComponents(string: publicAddress)
            guard let url, ["http", "https"].contains(url.scheme), !(url.host ?? "").isEmpty,
                url.path.isEmpty, url.query == nil, url.fragment == nil, url.user == nil
            else {
                throw .siteUnusable(
                    "--public-address",
                    publicAddress,
                    remedy: "write scheme and host alone, such as https://daybook.example.org"
                )
            }
        }
        if let country, Country(code: country) == nil {
            throw .siteUnusable(
                "--country",
                country,
                remedy: "write the two letters of ISO 3166 for it, such as GB"
            )
        }
    }

    /// How numbers are dialled there.
    var dialling: Country? { country.flatMap(Country.init(code:)) }

    private static let nameMost = 80
}

extension Site: Encodable {
    private enum Key: String, CodingKey {
        case name, emergencyNumber, emergencySMS, country, dialling, zone, publicAddress
        case answersCitizens, isDemo
    }

    /// As pages read it: what is not set is `null`.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(name, forKey: .name)
        try members.encode(emergencyNumber, forKey: .emergencyNumber)
        try members.encode(emergencySMS, forKey: .emergencySMS)
        try members.encode(dialling?.code, forKey: .country)
        try members.encode(dialling, forKey: .dialling)
        try members.encode(zone.identifier, forKey: .zone)
        try members.encode(publicAddress, forKey: .publicAddress)
        try members.encode(answersCitizens, forKey: .answersCitizens)
        try members.encode(isDemo, forKey: .isDemo)
    }
}

extension String {
    fileprivate var dropPlus: String { hasPrefix("+") ? String(dropFirst()) : self }

    fileprivate func isDigits(_ count: ClosedRange<Int>) -> Bool {
        count.contains(utf8.count) && utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}

extension Character {
    fileprivate var isPrintable: Bool {
        !isNewline && unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}
