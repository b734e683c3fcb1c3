// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import Hummingbird
import Projections

/// The routes of accounts: making one, listing them, changing what they may do.
struct UserRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(.post, "/v1/users", for: .managers, create),
            Route(
                .get,
                "/v1/users",
                for: .overseers,
                reads: "account-list",
                list
            ),
            Route(.get, "/v1/colleagues", for: .deskAndAbove, colleagues),
            Route(.patch, "/v1/users/:id", for: .managers, change),
            Route(.post, "/v1/users/:id/password", for: .managers, resetPassword),
            Route(
                .get,
                "/v1/users/:id/sign-ins",
                for: .managers.orOwner,
                reads: "sign-ins",
                signIns
            ),
        ]
    }

    /// What makes an account; its first password is random and temporary.
    private struct UserRequest: Decodable {
        let login: String
        let role: Role
        let name: String?
        /// What events and file names call the user; nine random digits if left out.
        let id: String?
        let organisation: OrganisationID?
    }

    private struct CreatedBody: Encodable {
        let user: UserBody
        /// Told this once; absent when the request is repeated.
        let temporaryPassword: String?
    }

    private func create(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let request = try await ledger.command(request, context)
        let body: UserRequest = try request.decoded()
        let organisation = body.organisation ?? request.asker.organisation
        try Self.check(request.asker, mayMake: body.role, in: organisation)
        let command = ledger.context(
            actor: request.asker.ledgerActor,
            organisation: organisation,
            command: request.command,
            correlation: request.requestID,
            asked: request.asked
        )
        if try ledger.log.receipt(of: command.stamp) != nil {
            let known = try await ledger.accounts.users().first { $0.login == body.login }
            guard let known else { throw Problem(.notFound, detail: "the account is gone") }
            return try .json(CreatedBody(user: UserBody(known), temporaryPassword: nil))
        }
        let new = try await ledger.createUser(
            login: body.login,
            role: body.role,
            organisation: organisation,
            name: body.name,
            id: body.id,
            command
        )
        var response = try Response.json(
            CreatedBody(user: UserBody(new.user), temporaryPassword: new.password),
            status: .created
        )
        response.headers[.ledgerPosition] = ledger.log.size.checkedPrevious.map { "\($0)" }
        return response
    }

    /// An organisation's admin makes no admins of the whole, and nobody elsewhere.
    private static func check(
        _ asker: Asker,
        mayMake role: Role,
        in organisation: OrganisationID
    ) throws(Problem) {
        guard asker.role != .admin else { return }
        guard organisation == asker.organisation, role != .admin, role != .auditor else {
            throw Problem(
                .forbidden,
                detail: "make accounts of your own organisation, below admin and auditor"
            )
        }
    }

    private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let principal = try context.signedIn()
        try await ledger.awaitLevel(request, of: "registry")
        let users = try await ledger.accounts.users().filter {
            principal.seesAllOrganisations || $0.org == principal.org
        }
        // Who is told of several organisations, is told of each on its own record.
        var keys: ReadingKeys?
        for organisation in Set(users.map(\.org)).sorted() {
            keys = try await ledger.keys(
                toRead: Subject(unchecked: "users/\(organisation)"),
                context,
                fields: ["login", "name", "lastSignInAt"]
            )
        }
        let known = try await ledger.readModels.registry.users(
            in: principal.seesAllOrganisations ? nil : principal.organisation
        )
        let byID = Dictionary(uniqueKeysWithValues: known.map { ($0.id.text, $0) })
        let items = try users.map { user in
            let registered = byID[user.id]
            return UserBody(
                user,
                person: registered?.person,
                name: try keys.flatMap { try registered?.name?.opened(with: $0).value },
                lastSignIn: registered?.lastLoginAt
            )
        }
        return try .json(PageBody(items: items))
    }

    /// Somebody at the desk, as colleagues know them.
    private struct ColleagueBody: Encodable {
        let user: UserID
        let name: String
        /// Whether they are signed in now.
        let isSignedIn: Bool
        /// Whether a session may be theirs.
        let takesSessions: Bool
    }

    /// Those at the desk who have a name: for showing it in place of a number; not recorded (decision 0076).
    private func colleagues(_ request: Request, _ context: GatewayContext) async throws -> Response
    {
        let principal = try context.signedIn()
        try await ledger.awaitLevel(request, of: "operator-desk")
        let people = try await ledger.readModels.desk.operators(in: principal.scope)
        let items = try people.filter { [.desk, .everything].contains($0.role.reach) }
            .compactMap { person in
                try person.name?.opened(with: ledger.keys.unrecorded(.colleague)).value.map {
                    ColleagueBody(
                        user: person.id,
                        name: $0,
                        isSignedIn: person.signedIn,
                        takesSessions: [.operator, .supervisor].contains(person.role)
                    )
                }
            }
        return try .json(PageBody(items: items))
    }

    // MARK: - Changing one

    /// What of an account is to be otherwise; what is left out stays.
    private struct ChangeRequest: Decodable {
        let disabled: Bool?
        let role: Role?
        let reason: String
    }

    private func change(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let request = try await ledger.command(request, context)
        let asker = request.asker
        let user = try await ledger.managed(context, by: asker)
        let body: ChangeRequest = try request.decoded()
        if let role = body.role {
            try Self.check(asker, mayMake: role, in: OrganisationID(unchecked: user.org))
            let asked = step("role", of: request, on: user)
            if try ledger.log.receipt(of: asked.stamp) == nil {
                try await ledger.setRole(
                    role,
                    of: user,
                    reason: body.reason,
                    by: .asker(asker),
                    asked
                )
            } else {
                try await ledger.settle(user, asked: asked)
            }
        }
        if let disabled = body.disabled {
            let asked = step("disabled", of: request, on: user)
            if try ledger.log.receipt(of: asked.stamp) == nil {
                try await ledger.setDisabled(
                    disabled,
                    user,
                    reason: body.reason,
                    by: .asker(asker),
                    asked
                )
            } else {
                try await ledger.settle(user, asked: asked)
            }
        }
        let changed = try await ledger.accounts.user(id: user.id)
        var response = try Response.json(UserBody(changed))
        response.headers[.ledgerPosition] = ledger.log.size.checkedPrevious.map { "\($0)" }
        return response
    }

    /// One of the changes that a request asks for: each is a command of its own, known again by the request's key.
    private func step(
        _ name: String,
        of request: CommandRequest,
        on user: UserAccount
    ) -> CommandContext {
        ledger.context(
            of: request,
            managing: user,
            command: CommandRequest.command("\(request.command)~\(name)")
        )
    }

    private struct ResetBody: Encodable {
        /// Told this once.
        let temporaryPassword: String
    }

    /// No `Idempotency-Key`: a password cannot be told twice.
    private func resetPassword(
        _ request: Request,
        _ context: GatewayContext
    ) async throws -> Response {
        let request = try await ledger.command(
            request,
            context,
            content: .nothing
        )
        let user = try await ledger.managed(context, by: request.asker)
        let password = try await ledger.resetPassword(
            of: user,
            by: .asker(request.asker),
            ledger.context(of: request, managing: user)
        )
        return try .json(ResetBody(temporaryPassword: password))
    }

    // MARK: - Sign-ins

    private struct SignInBody: Encodable {
        let at: Timestamp
        /// `signed-in` or `signed-out`.
        let what: String
        /// How, or why.
        let how: String
        let address: String?
    }

    /// When somebody signed in and out, newest first: one's own, or for admins anybody's they may manage.
    private func signIns(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let principal = try context.signedIn()
        let id = context.parameters.get("id") ?? ""
        let isOwn = principal.userID == id
        let user =
            isOwn ? try await ledger.accounts.user(id: id) : try await ledger.managed(context).1
        let limit = try request.number("limit", default: 50, in: 1...200)
        let keys =
            isOwn
            ? ledger.keys.unrecorded(.own)
            : try await ledger.keys(
                toRead: .user(UserID(unchecked: id)),
                context,
                fields: ["address"]
            )
        let found = try ledger.signIns(of: UserID(unchecked: user.id), limit: limit, keys)
        return try .json(
            PageBody(
                items: found.map { signIn in
                    SignInBody(
                        at: signIn.at,
                        what: signIn.isIn ? "signed-in" : "signed-out",
                        how: signIn.how,
                        address: signIn.address
                    )
                }
            )
        )
    }
}
