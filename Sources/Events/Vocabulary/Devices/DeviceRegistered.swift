// SPDX-License-Identifier: Apache-2.0
/// A device proved its phone number and got a token.
public struct DeviceRegistered: EventPayload {
    public static let kind: Kind = "device.registered/1"

    /// Who owns the number.
    public let person: PersonID
    public let phone: Sealed<PhoneNumber>
    public let verification: Verification
    /// Who gave out the one-time code (ruling 24).
    public let codeGivenBy: UserID?
    /// The device's own key, base64, if it has one.
    public let publicKey: String?

    public init(
        person: PersonID,
        phone: Sealed<PhoneNumber>,
        verification: Verification,
        codeGivenBy: UserID? = nil,
        publicKey: String? = nil
    ) {
        self.person = person
        self.phone = phone
        self.verification = verification
        self.codeGivenBy = codeGivenBy
        self.publicKey = publicKey
    }

    public var links: [SubjectLink] {
        [.owner(.person(person))]
    }

    /// How the number was verified.
    public enum Verification: String, Codable, Hashable, Sendable, CaseIterable {
        case operatorCode = "operator_code"
        case link
        case sms
    }
}
