// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import Projections

/// Signing in and out, and who one is.
struct AuthRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(.post, "/v1/auth/login", for: .strangers, logIn),
            Route(.post, "/v1/auth/logout", for: .anyoneAtAll.orGuest, logOut),
            Route(.post, "/v1/auth/password", for: .anyoneAtAll, changePassword),
            Route(.get, "/v1/me", for: .anyoneAtAll.orGuest, me),
        ]
    }

    private struct LoginBody: Decodable {
        let login: String
        let password: String
    }

    /// Answers with a token for programs, and the same as a cookie for pages.
    ///
    /// No `Idempotency-Key`: a token cannot be told twice.
    @Sendable private func logIn(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let body = try await JSONBody().decode(LoginBody.self, from: request, context: context)
        var origin = SignInOrigin(request, context)
        // A browser that is not known yet is from now on.
        origin.browser = origin.browser ?? IssuedToken.fresh()
        let (user, token) = try await signIn(body, from: origin)
        var response = try await admit(user, with: token, by: .password, request, context)
        if let browser = origin.browser { response.setCookie(BrowserCookie.keeping(browser)) }
        return response
    }

    /// Records that a user signed in, and answers with the token, which is also the page's cookie; the sign-in that the browser had ends.
    ///
    /// - Throws: What kept it from being recorded; the token has ended then.
    func admit(
        _ user: UserAccount,
        with token: IssuedToken,
        by method: UserLoggedIn.Method,
        _ request: Request,
        _ context: GatewayContext
    ) async throws -> Response {
        let principal = try await ledger.accounts.authenticate(token.token)
        do {
            let command = LogIn(
                UserID(unchecked: user.id),
                method: method,
                address: context.remoteAddress
            )
            _ = try await ledger.handler.handle(
                command,
                ledger.context(of: principal, correlation: context.requestID)
            )
            try await ledger.endReplacedSignIn(request, context, by: principal)
            try await resume(principal, context)
        } catch {
            // Nobody is signed in without the ledger knowing.
            try await ledger.accounts.revoke(tokenID: token.id)
            throw error
        }
        var response = try Response.json(SignedInBody(token, principal))
        response.setCookie(SessionCookie.signingIn(token))
        return response
    }

    /// Where it cannot be recorded now, as with a full disk, the look for who is gone does it later: nobody is kept out.
    private func resume(_ principal: Principal, _ context: GatewayContext) async throws {
        guard let user = principal.user else { return }
        do {
            let own = ledger.context(of: principal, correlation: context.requestID)
            try await ledger.resume(user, own)
        } catch {
            ledger.logger.notice(
                "that somebody is back was not recorded yet",
                metadata: ["reason": "\(error)"]
            )
        }
    }

    /// Signs in, or writes down that somebody could not: without the login, which may be a mistyped password.
    private func signIn(
        _ body: LoginBody,
        from origin: SignInOrigin
    ) async throws -> (user: UserAccount, token: IssuedToken) {
        do {
            return try await ledger.accounts.signIn(
                login: body.login,
                password: body.password,
                from: origin
            )
        } catch let error as AccountError {
            ledger.logger.notice(
                "a sign-in was refused",
                metadata: [
                    "category": "security", "reason": "\(error)",
                    "network": "\(NetworkAddress.block(of: origin.address) ?? "local")",
                ]
            )
            throw error
        }
    }

    private struct LeaveBody: Decodable {
        let tabClosed: Bool?
        /// Whether the page signs somebody out who did nothing for too long.
        let idle: Bool?
    }

    /// Ends the token; gives up the operator's open sessions unless the page did it by itself, only the tab was closed, or
    /// another sign-in is good.
    @Sendable private func logOut(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let principal = try context.signedInEvenTemporarily()
        let others = ledger.standingSignIns(besides: principal)
        let left: Result<Response, any Error>
        do {
            left = .success(try await leave(request, context))
        } catch {
            left = .failure(error)
        }
        // Whoever wants out is out, whatever is wrong with the request.
        try await ledger.accounts.revoke(tokenID: principal.tokenID, besides: others)
        var response = try left.get()
        response.setCookie(SessionCookie.signingOut)
        return response
    }

    private func leave(
        _ request: Request,
        _ context: GatewayContext
    ) async throws -> Response {
        let request = try await ledger.command(request, context)
        guard let user = request.asker.user else { return try .json(NoOutcome()) }
        let command = LogOut(
            user,
            reason: try reason(in: request),
            isElsewhere: try await ledger.isSignedIn(user, besides: request.asker.tokenID)
        )
        return try await ledger.answer(command, request)
    }

    private func reason(in command: CommandRequest) throws -> UserLoggedOut.Reason {
        let body = try command.decoded(LeaveBody.self)
        if body.tabClosed == true { return .tabClosed }
        return body.idle == true ? .idle : .user
    }

    private struct PasswordBody: Decodable {
        let old: String
        let new: String
    }

    @Sendable private func changePassword(_ request: Request, _ context: GatewayContext)
        async throws -> Response
    {
        let origin = SignInOrigin(request, context)
        let request = try await ledger.command(
            request,
            context,
            content: .unrepeatable
        )
        let body: PasswordBody = try request.decoded()
        let change = try await ledger.accounts.passwordChange(
            of: request.asker.principal,
            from: body.old,
            to: body.new,
            from: origin
        )
        try await ledger.changePassword(
            change,
            of: request.asker.principal,
            ledger.context(of: request)
        )
        return try Response.json(NoOutcome())
    }

    @Sendable private func me(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let principal = try context.signedInEvenTemporarily()
        try await ledger.awaitLevel(request, of: "operator-desk")
        var me = MeBody(principal)
        if let user = principal.user {
            me.openSessions = try await ledger.readModels.desk.openSessions(of: user).map(\.id)
        } else if let person = principal.person {
            let active = try await ledger.readModels.desk.activeSession(of: person)
            me.openSessions = try [active?.id].compactMap(\.self)
                .filter { try ledger.rights.sees($0, principal) }
            me.newPhones = try await newPhones(for: principal)
        }
        return try .json(me)
    }

    /// The younger phones of a caller's number that nobody has judged; a link's holder hears of none.
    private func newPhones(for principal: Principal) async throws -> [NewPhoneBody] {
        guard let own = principal.deviceID, principal.scopes.isEmpty else { return [] }
        var bodies: [NewPhoneBody] = []
        for phone in try await ledger.accounts.newPhones(besides: own) {
            bodies.append(NewPhoneBody(phone, giver: try await name(of: phone.giver)))
        }
        return bodies
    }

    /// A colleague's name; `nil` where none was given, or it was erased.
    private func name(of user: UserID?) async throws -> String? {
        guard let user else { return nil }
        return try await ledger.readModels.desk.staff(user)?.name?.opened(
            with: ledger.keys.unrecorded(.colleague)
        ).value
    }
}

/// A phone of one's number that is younger than one's own, and that nobody has judged.
struct NewPhoneBody: Encodable {
    let device: String
    /// When it was registered; for a code when that was given.
    let since: Timestamp
    /// Whether it is registered; otherwise there is a code by which it may be.
    let isRegistered: Bool
    /// The name of who gave the code.
    let givenBy: String?

    init(_ phone: NewPhone, giver: String?) {
        device = phone.id
        since = Timestamp(phone.since)
        isRegistered = phone.isRegistered
        givenBy = giver
    }
}

/// What a sign-in gives: a token, and who has it.
struct SignedInBody: Encodable {
    let token: String
    let expires: String
    let user: MeBody

    init(_ token: IssuedToken, _ principal: Principal) {
        self.token = token.token
        expires = Timestamp(token.expires).description
        user = MeBody(principal)
    }
}

/// Who somebody is, to themselves.
struct MeBody: Encodable {
    let actor: String
    let role: Role
    let organisation: String
    let user: String?
    let login: String?
    let device: String?
    let phone: String?
    let mustChangePassword: Bool
    /// An operator's claimed sessions, or the one that a caller can go on in.
    var openSessions: [SessionID] = []
    /// Of a caller's phone: younger ones of the same number that nobody has judged.
    var newPhones: [NewPhoneBody] = []

    init(_ principal: Principal) {
        actor = principal.actor
        role = principal.role
        organisation = principal.org
        user = principal.userID
        device = principal.deviceID
        mustChangePassword = principal.mustChangePassword
        switch principal.identity {
        case .user(_, let login): (self.login, phone) = (login, nil)
        case .device(_, _, let number): (login, phone) = (nil, number)
        }
    }
}

extension Timestamp {
    /// A moment of Foundation, to the microsecond.
    init(_ date: Date) {
        self.init(microseconds: Int64((date.timeIntervalSince1970 * 1_000_000).rounded()))
    }
}
