// SPDX-License-Identifier: Apache-2.0
/// The device's token is void.
public struct DeviceRevoked: EventPayload {
    public static let kind: Kind = "device.revoked/1"

    public let person: PersonID
    public let reason: String

    public init(person: PersonID, reason: String) {
        self.person = person
        self.reason = reason
    }

    public var links: [SubjectLink] {
        [.owner(.person(person))]
    }
}
