// SPDX-License-Identifier: Apache-2.0
/// Somebody was given a code, by which a phone can be registered for a number (ruling 39).
///
/// The subject is the device that the code will register; the code itself stands nowhere.
public struct DeviceCodeIssued: EventPayload {
    public static let kind: Kind = "device.code_issued/1"

    /// Who owns the number.
    public let person: PersonID
    public let phone: Sealed<PhoneNumber>
    /// Who asked for the code.
    public let by: UserID
    /// Why, in words.
    public let reason: Sealed<String>
    public let expires: Timestamp

    public init(
        person: PersonID,
        phone: Sealed<PhoneNumber>,
        by: UserID,
        reason: Sealed<String>,
        expires: Timestamp
    ) {
        self.person = person
        self.phone = phone
        self.by = by
        self.reason = reason
        self.expires = expires
    }

    public var links: [Subject] {
        [.person(person)]
    }
}
