// SPDX-License-Identifier: Apache-2.0
/// An account was made.
///
/// Passwords and tokens never stand in the log.
public struct UserCreated: EventPayload {
    public static let kind: Kind = "user.created/1"

    public let organisation: OrganisationID
    public let role: Role
    /// The person behind the account.
    public let person: PersonID
    public let name: Sealed<String>?
    public let mustChangePassword: Bool

    public init(
        organisation: OrganisationID,
        role: Role,
        person: PersonID,
        name: Sealed<String>? = nil,
        mustChangePassword: Bool
    ) {
        self.organisation = organisation
        self.role = role
        self.person = person
        self.name = name
        self.mustChangePassword = mustChangePassword
    }

    public var links: [SubjectLink] {
        [.owner(.person(person))]
    }
}
