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
