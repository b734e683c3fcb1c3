// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of accounts: making one, listing them, and the tokens that programs use.
struct UserRoutes: Sendable {
    let ledger: Ledger

    func add(to router: Router<GatewayContext>) {
        router.post("/v1/users", use: create)
        router.get("/v1/users", use: list)
        router.post("/v1/users/:id/tokens", use: issueToken)
        router.get("/v1/users/:id/tokens", use: tokens)
        router.delete("/v1/users/:id/tokens/:token", use: revokeToken)
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
        let principal = try context.signedIn(as: .admin, .organisationAdmin)
        let request = try await ledger.command(request, context, by: principal)
        let body: UserRequest = try request.decoded()
        let organisation = body.organisation ?? principal.organisation
        try Self.check(principal, mayMake: body.role, in: organisation)
        let command = ledger.context(
            of: principal,
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
        _ principal: Principal,
        mayMake role: Role,
        in organisation: OrganisationID
    ) throws(Problem) {
        guard principal.role != .admin else { return }
        guard organisation == principal.organisation, role != .admin, role != .auditor else {
            throw Problem(
                .forbidden,
                detail: "make accounts of your own organisation, below admin and auditor"
            )
        }
    }

    private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let principal = try context.signedIn(as: .admin, .organisationAdmin, .supervisor, .auditor)
        let users = try await ledger.accounts.users().filter {
            principal.seesAllOrganisations || $0.org == principal.org
        }
        return try .json(PageBody(items: users.map(UserBody.init)))
    }

    // MARK: - Tokens

    private struct TokenRequest: Decodable {
        let scopes: Set<String>?
        let lifeSeconds: Int?
    }

    private struct IssuedBody: Encodable {
        let id: String
        /// Told this once.
        let token: String
        let expires: Timestamp
    }

    private func issueToken(
        _ request: Request,
        _ context: GatewayContext
    ) async throws -> Response {
        let (principal, user) = try await subject(context)
        let request = try await ledger.command(request, context, by: principal)
        let body: TokenRequest = try request.decoded()
        guard body.scopes?.isEmpty ?? true else {
            throw Problem(
                .malformedRequest,
                detail: "this gateway limits no token to scopes; leave them out, or make an "
                    + "account of a lesser role"
            )
        }
        if let life = body.lifeSeconds, !(1...UpkeepLimits.tokenLifeSecondsMax).contains(life) {
            throw Problem(
                .malformedRequest,
                detail: "lifeSeconds is 1 to \(UpkeepLimits.tokenLifeSecondsMax)"
            )
        }
        let issued = try await ledger.accounts.issueToken(
            forUser: user.id,
            life: body.lifeSeconds.map { .seconds($0) }
        )
        return try .json(
            IssuedBody(id: issued.id, token: issued.token, expires: Timestamp(issued.expires)),
            status: .created
        )
    }

    private func tokens(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (_, user) = try await subject(context)
        let tokens = try await ledger.accounts.tokens(ofUser: user.id)
        return try .json(PageBody(items: tokens.map(TokenBody.init)))
    }

    private func revokeToken(
        _ request: Request,
        _ context: GatewayContext
    ) async throws -> Response {
        let (_, user) = try await subject(context)
        let id = context.parameters.get("token") ?? ""
        guard try await ledger.accounts.tokens(ofUser: user.id).contains(where: { $0.id == id })
        else { throw Problem(.notFound, detail: "the user has no token with that id") }
        try await ledger.accounts.revoke(tokenID: id)
        return Response(status: .noContent)
    }

    /// Whose tokens the path is about: one's own, or for admins anybody's of their organisation.
    private func subject(_ context: GatewayContext) async throws -> (Principal, UserAccount) {
        let principal = try context.signedIn()
        let id = context.parameters.get("id") ?? ""
        if principal.userID != id {
            _ = try context.signedIn(as: .admin, .organisationAdmin)
        }
        let user = try await ledger.accounts.user(id: id)
        guard principal.role == .admin || user.org == principal.org else {
            throw AccountError.accountUnknown(id)
        }
        guard principal.userID == id || principal.role == .admin || user.role != .admin else {
            throw Problem(.forbidden, detail: "only an admin issues tokens of an admin")
        }
        return (principal, user)
    }
}
