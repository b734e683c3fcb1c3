// SPDX-License-Identifier: Apache-2.0
public import Events

/// An account is made; the person's key must exist before, or the person be a newcomer.
public struct CreateUser: Command {
    public let user: UserID
    public let organisation: OrganisationID
    public let role: Role
    public let person: PersonID
    public let name: String?
    public let password: FirstPassword

    public init(
        _ user: UserID,
        in organisation: OrganisationID = .main,
        as role: Role,
        person: PersonID,
        name: String? = nil,
        password: FirstPassword
    ) {
        self.user = user
        self.organisation = organisation
        self.role = role
        self.person = person
        self.name = name
        self.password = password
    }

    /// What the first password is good for.
    public enum FirstPassword: Hashable, Sendable, CaseIterable {
        /// For signing in once and choosing another.
        case temporary
        /// The user chose it.
        case chosen
    }

    /// Why there is no account.
    public enum Refusal: CommandRefusal {
        case exists(UserID)
        case personErased(PersonID)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .exists(let user):
                Problem(
                    .conflict,
                    "user-exists",
                    "creating an account refused: user \(user) exists; choose another id",
                    facts: ["user": "\(user)"]
                )
            case .personErased(let person): .personErased(person, attempt: "creating an account")
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { .user(user) }

    public func read(_ ledger: inout LedgerView) throws -> (user: User, person: Person) {
        (try ledger.read(User.self, user), try ledger.read(Person.self, person))
    }

    public func decide(
        _ state: (user: User, person: Person),
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        if let name {
            try InputFault.check(
                name: name,
                "name",
                bytesMax: CommandLimits.noteBytesMax,
                else: Refusal.unacceptable
            )
        }
        guard state.user.account == nil else { throw .exists(user) }
        guard !state.person.isErased else { throw .personErased(person) }
        let created = UserCreated(
            organisation: organisation,
            role: role,
            person: person,
            name: name.map { .open($0, of: person) },
            mustChangePassword: password == .temporary
        )
        return .record([.user(user, .created(created))])
    }
}
