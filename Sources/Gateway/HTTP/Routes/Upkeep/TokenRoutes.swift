// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird

/// The routes of the tokens that programs use (ruling 40): one's own, and those of services.
struct TokenRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(.post, "/v1/users/:id/tokens", for: .managers.orOwner, issue),
            Route(.get, "/v1/users/:id/tokens", for: .managers.orOwner, list),
            Route(.delete, "/v1/users/:id/tokens/:token", for: .managers.orOwner, revoke),
        ]
    }

    private struct TokenRequest: Decodable {
        /// Of whoever asks: a desk that was left alone issues no tokens.
        let password: String
        let scopes: Set<String>?
        let lifeSeconds: Int?
    }

    private struct IssuedBody: Encodable {
        let id: String
        /// Told this once.
        let token: String
        let expires: Timestamp
    }

    /// No `Idempotency-Key`: a token cannot be told twice.
    private func issue(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let origin = SignInOrigin(request, context)
        let request = try await ledger.command(
            request,
            context,
            content: .unrepeatable
        )
        let user = try await ledger.ownOrManaged(context, by: request.asker)
        if request.asker.userID != user.id { try user.requireService() }
        let body: TokenRequest = try request.decoded()
        try Self.check(body)
        let proof = try await confirmPassword(body.password, of: request.asker, origin)
        let issued = try await ledger.issueToken(
            of: user,
            life: body.lifeSeconds.map { .seconds($0) },
            provedBy: proof,
            by: .asker(request.asker),
            ledger.context(of: request, managing: user)
        )
        return try .json(
            IssuedBody(id: issued.id, token: issued.token, expires: Timestamp(issued.expires)),
            status: .created
        )
    }

    private static func check(_ body: TokenRequest) throws(Problem) {
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
    }

    /// Whoever asks has the password at hand, and not only an open page.
    private func confirmPassword(
        _ password: String,
        of asker: Asker,
        _ origin: SignInOrigin
    ) async throws -> PasswordProof {
        guard case .user(_, let login) = asker.identity else {
            throw Problem(.forbidden, detail: "a phone has no password, and issues no tokens")
        }
        do {
            return try await ledger.accounts.provePassword(
                login: login,
                password: password,
                from: origin
            )
        } catch AccountError.signInRefused {
            throw Problem(
                ProblemType("password-wrong", .forbidden, "Wrong password"),
                detail: "the password is not yours; a token is issued with your own"
            )
        }
    }

    private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let user = try await subject(context)
        let tokens = try await ledger.accounts.tokens(ofUser: user.id)
        return try .json(PageBody(items: tokens.map(TokenBody.init)))
    }

    private func revoke(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let request = try await ledger.command(request, context, content: .nothing)
        let user = try await ledger.ownOrManaged(context, by: request.asker)
        let id = context.parameters.get("token") ?? ""
        let known = try await ledger.accounts.tokens(ofUser: user.id).first { $0.id == id }
        guard let known else {
            throw Problem(.notFound, detail: "the user has no token with that id")
        }
        guard known.revoked == nil else { return Response(status: .noContent) }
        try await ledger.revokeToken(
            id,
            of: user,
            ledger.context(of: request, managing: user)
        )
        return Response(status: .noContent)
    }

    /// Whose tokens are read: one's own, or those of an account that one manages.
    private func subject(_ context: GatewayContext) async throws -> UserAccount {
        let principal = try context.signedIn()
        let id = context.parameters.get("id") ?? ""
        guard principal.userID == id else { return try await ledger.managed(context).1 }
        return try await ledger.accounts.user(id: id)
    }
}
