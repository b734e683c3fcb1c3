// SPDX-License-Identifier: Apache-2.0
public import Events

/// Accounts, legal holds, erased people and who looked at what.
public struct Registry: Sendable {
    /// The rows.
    public let database: ReadDatabase

    public init(_ database: ReadDatabase) {
        self.database = database
    }

    /// One account.
    public func user(_ id: UserID) async throws -> RegisteredUser? {
        try await database.read { view in
            try view.first(
                RegisteredUser.selection + " WHERE id = ?1",
                id,
                read: RegisteredUser.init
            )
        }
    }

    /// All accounts, by id.
    public func users(in organisation: OrganisationID? = nil) async throws -> [RegisteredUser] {
        try await database.read { view in
            var query = Query(RegisteredUser.selection)
            query.filter("org = ?", organisation)
            query.order(by: "id", limit: ProjectionLimits.listRowsMax)
            return try view.all(query, read: RegisteredUser.init)
        }
    }

    /// The legal holds of the scope's organisation, oldest first.
    ///
    /// - Parameters:
    ///   - active: `true` leaves lifted ones out.
    ///   - scope: Whose holds.
    /// - Returns: The holds.
    /// - Throws: ``ReadModelError`` when the read model cannot be read now.
    public func holds(active: Bool, in scope: Scope) async throws -> [LegalHold] {
        try await database.read { view in
            var query = Query(LegalHold.selection)
            if active { query.filter("lifted_at IS NULL") }
            query.filter(scope)
            query.order(by: "placed_at, id")
            return try view.all(query, read: LegalHold.init)
        }
    }

    /// The holds that keep a person from being erased now.
    public func holds(on person: PersonID) async throws -> [LegalHold] {
        try await database.read { view in
            try view.all(
                LegalHold.selection + """
                     WHERE lifted_at IS NULL AND id IN (SELECT id FROM hold WHERE scope = ?2 UNION
                     SELECT hold FROM held_person WHERE person = ?1) ORDER BY placed_at, id
                    """,
                person,
                Subject.person(person),
                read: LegalHold.init
            )
        }
    }

    /// The persons that a hold covered when it was placed.
    public func persons(of hold: HoldID) async throws -> [PersonID] {
        try await database.read { view in
            try view.all("SELECT person FROM held_person WHERE hold = ?1 ORDER BY person", hold) {
                try $0.value()
            }
        }
    }

    /// Where a person was erased, or `nil`.
    public func erasure(of person: PersonID) async throws -> ErasedPerson? {
        try await database.read { view in
            try view.first(
                ErasedPerson.selection + " WHERE person = ?1",
                person,
                read: ErasedPerson.init
            )
        }
    }

    /// All erased people, in the order of the log.
    public func erasures() async throws -> [ErasedPerson] {
        try await database.read { view in
            try view.all(ErasedPerson.selection + " ORDER BY position", read: ErasedPerson.init)
        }
    }

    /// Who looked at what, or was refused, newest first; `before` is the cursor.
    public func access(
        reader: Actor? = nil,
        resource: Subject? = nil,
        organisation: OrganisationID? = nil,
        before: LogPosition? = nil,
        limit: Int = 100
    ) async throws -> [RecordedAccess] {
        try await database.read { view in
            var query = Query(RecordedAccess.selection)
            query.filter(leading: "reader = ?", reader)
            query.filter(leading: "resource = ?", resource)
            query.filter(broad: "org = ?", organisation)
            query.filter("position < ?", before)
            query.order(by: "position DESC", limit: bounded(limit))
            return try view.all(query, read: RecordedAccess.init)
        }
    }
}
