// SPDX-License-Identifier: Apache-2.0
public import Events

/// One account.
public struct RegisteredUser: Hashable, Sendable {
    public let id: UserID
    public let organisation: OrganisationID
    public let role: Role
    public let person: PersonID
    public let name: Sealed<String>?
    public let mustChangePassword: Bool
    public let createdAt: Timestamp
    public let lastLoginAt: Timestamp?

    static let selection = """
        SELECT id, org, role, person, name, must_change_password, created_at, last_login_at FROM user
        """

    init(_ row: inout RowReader) throws {
        id = try row.value()
        organisation = try row.value()
        role = try row.word()
        person = try row.value()
        name = try row.optionalSealed()
        mustChangePassword = try row.flag()
        createdAt = try row.time()
        lastLoginAt = try row.optionalTime()
    }
}

/// A legal hold.
public struct LegalHold: Hashable, Sendable {
    public let id: HoldID
    public let organisation: OrganisationID
    public let scope: Subject
    public let reason: String
    public let authority: String
    public let placedAt: Timestamp
    public let placedBy: Actor
    public let liftedAt: Timestamp?
    public let liftReason: String?

    static let selection = """
        SELECT id, org, scope, reason, authority, placed_at, placed_by, lifted_at, lift_reason FROM hold
        """

    init(_ row: inout RowReader) throws {
        id = try row.value()
        organisation = try row.value()
        scope = try row.value()
        reason = try row.text()
        authority = try row.text()
        placedAt = try row.time()
        placedBy = try row.value()
        liftedAt = try row.optionalTime()
        liftReason = try row.optionalText()
    }
}

/// A person whose key was destroyed.
public struct ErasedPerson: Hashable, Sendable {
    public let person: PersonID
    public let position: LogPosition
    public let at: Timestamp
    public let by: UserID?
    public let reason: String

    static let selection = "SELECT person, position, at, by, reason FROM erased"

    init(_ row: inout RowReader) throws {
        person = try row.value()
        position = try row.position()
        at = try row.time()
        by = try row.optional()
        reason = try row.text()
    }
}

/// One look at personal data, or one refusal.
public struct RecordedAccess: Hashable, Sendable {
    public let position: LogPosition
    public let organisation: OrganisationID
    public let at: Timestamp
    public let reader: Actor
    public let resource: Subject?
    /// The purpose of a look, or what was tried.
    public let what: String
    public let fields: [String]
    /// Why it was refused; `nil` for a look.
    public let refusal: AccessRefused.Reason?

    static let selection =
        "SELECT position, org, at, reader, resource, what, fields, refusal FROM access"

    init(_ row: inout RowReader) throws {
        position = try row.position()
        organisation = try row.value()
        at = try row.time()
        reader = try row.value()
        resource = try row.optional()
        what = try row.text()
        fields = try row.text().split(separator: " ").map(String.init)
        refusal = try row.optionalWord()
    }
}
