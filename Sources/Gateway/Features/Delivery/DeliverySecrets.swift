// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation

/// Encrypts the senders' passwords, and makes the codes by which the outside's reports are known to be about our messages.
///
/// Both keys derive from the master key; an event holds a password in encrypted form only, and no answer ever holds one.
struct DeliverySecrets: Sendable {
    private static let purpose = "daybook sender password"
    private let masterKey: MasterKey
    private let reports: DerivedKey

    init(of masterKey: MasterKey) {
        self.masterKey = masterKey
        reports = DerivedKey(of: masterKey, for: "daybook delivery reports")
    }

    /// A password as an event holds it: base64url; `nil` when the cryptographic library fails.
    func encrypted(_ password: String) -> String? {
        masterKey.wrap(Array(password.utf8), for: Self.purpose).map { Data($0).base64URL }
    }

    /// The password behind what an event holds; `nil` for another master key, or changed bytes.
    func password(_ encrypted: String) -> String? {
        guard let wrapped = Data(base64URL: encrypted),
            let bytes = masterKey.unwrap([UInt8](wrapped), for: Self.purpose)
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The code that a report about an attempt carries: 32 hexadecimal digits.
    func reportCode(_ alert: AlertID, attempt: Int) -> String { code("report \(alert) \(attempt)") }

    /// The code that incoming messages carry.
    var incomingCode: String { code("incoming") }

    /// What stands in a link that is for one thing and one purpose: 38 letters, digits, `-` and `_`.
    func linkCode<Named>(to id: Identifier<Named>, for purpose: LinkPurpose) -> String {
        Data(Self.bytes(of: "\(id)")).base64URL + proof("\(id)", purpose)
    }

    /// The thing of a link's code; `nil` for one that this gateway did not make for that purpose.
    func id<Named>(ofLink code: String, for purpose: LinkPurpose) -> Identifier<Named>? {
        guard code.utf8.count == 38, let bytes = Data(base64URL: String(code.prefix(22))),
            bytes.count == 16
        else { return nil }
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { range in
            String(digits.dropFirst(range.lowerBound).prefix(range.count))
        }
        guard let id = Identifier<Named>(groups.joined(separator: "-")),
            Self.isSame(String(code.suffix(16)), proof("\(id)", purpose))
        else { return nil }
        return id
    }

    /// What a link is for.
    enum LinkPurpose: String {
        /// Answers the alert that it names.
        case answer
        /// Shows how the rescue of a report goes.
        case report
    }

    /// What stands in the link by which an alert is answered.
    func answerCode(_ alert: AlertID) -> String { linkCode(to: alert, for: .answer) }

    /// The alert of an answer's code; `nil` for one that this gateway did not make.
    func alert(ofAnswer code: String) -> AlertID? { id(ofLink: code, for: .answer) }

    /// Proves that this gateway gave out a proof-of-work challenge: 32 hexadecimal digits.
    func challengeSignature(_ challenge: String) -> String { code("challenge " + challenge) }

    private func proof(_ id: String, _ purpose: LinkPurpose) -> String {
        Data(reports.code(of: Array("\(purpose.rawValue) \(id)".utf8)).prefix(12)).base64URL
    }

    private static func bytes(of id: String) -> [UInt8] {
        let digits = Array(id.utf8.filter { $0 != UInt8(ascii: "-") })
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
        }
    }

    /// Whether a code is the right one; takes the same time whatever it is.
    static func isSame(_ given: String, _ right: String) -> Bool {
        SecretBytes.areEqual(Data(given.utf8), Data(right.utf8))
    }

    private func code(_ message: String) -> String {
        reports.code(of: Array(message.utf8)).prefix(16).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}
