// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird

/// The routes by which a member of staff says how to be told, and tries it.
struct ReachRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(.get, "/v1/reach", for: CallOutRoutes.called, reads: "own-reach", read),
            Route(.put, "/v1/reach", for: CallOutRoutes.called, set),
            Route(.put, "/v1/reach/browser", for: CallOutRoutes.called, subscribe),
            Route(.delete, "/v1/reach/browser", for: CallOutRoutes.called, unsubscribe),
            Route(.post, "/v1/reach/test", for: CallOutRoutes.called, test),
            Route(.get, "/v1/users/:id/reach", for: .managers, reads: "reach", readOther),
            Route(.put, "/v1/users/:id/reach", for: .managers, setOther),
        ]
    }

    private struct ReachBody: Encodable {
        let phone: PhoneNumber?
        let email: String?
        let language: String
        let offDutyUntil: Timestamp?
        /// How many browsers take pushes.
        let browsers: Int
    }

    private func read(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await reach(of: try user(of: context.signedIn()), context)
    }

    private func readOther(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let user = try other(context)
        try ledger.rights.requireThere(.user(user), for: try context.signedIn())
        return try await reach(of: user, context)
    }

    private func other(_ context: GatewayContext) throws(Problem) -> UserID {
        guard let user = context.parameters.get("id").flatMap({ UserID($0) }) else {
            throw Problem(.notFound, detail: "there is no such account; look at the list")
        }
        return user
    }

    private func reach(of user: UserID, _ context: GatewayContext) async throws -> Response {
        let keys = try await ledger.keys(toRead: .user(user), context, fields: ["phone", "email"])
        let reach = try ledger.handler.current(Reach.self, user)
        return try .json(
            ReachBody(
                phone: try reach.ways?.phone?.opened(with: keys).value,
                email: try reach.ways?.email?.opened(with: keys).value,
                language: reach.ways?.language ?? "en",
                offDutyUntil: reach.isOffDuty(at: ledger.now) ? reach.ways?.offDutyUntil : nil,
                browsers: reach.browsers.count
            )
        )
    }

    private struct ReachRequest: Decodable {
        let phone: GivenNumber?
        let email: String?
        let language: String?
        let offDutyUntil: Timestamp?
    }

    private func set(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let request = try await ledger.command(request, context)
        return try await set(of: try request.asker.requireUser(), request)
    }

    private func setOther(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let user = try other(context)
        let request = try await ledger.command(request, context)
        try ledger.rights.requireInReach(.user(user), of: request.asker)
        return try await set(of: user, request)
    }

    private func set(of user: UserID, _ request: CommandRequest) async throws -> Response {
        let body: ReachRequest = try request.decoded()
        if let email = body.email, !MailAddress.isUsable(email) {
            throw Problem(
                .malformedRequest,
                detail: "email is no address of e-mail, such as nina@example.org; correct it"
            )
        }
        let command = SetReach(
            of: user,
            phone: body.phone?.number,
            email: body.email,
            language: body.language ?? "en",
            offDutyUntil: body.offDutyUntil,
            openedWith: ledger.keys.unrecorded(.compared)
        )
        return try await ledger.answer(command, request)
    }

    /// What a browser's subscription is as JSON.
    private struct SubscriptionBody: Decodable {
        let endpoint: String
        let keys: Keys

        struct Keys: Decodable {
            let p256dh: String
            let auth: String
        }
    }

    private func subscribe(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let request = try await ledger.command(request, context)
        let body: SubscriptionBody = try request.decoded()
        let endpoint = try PushEndpoint(body.endpoint, within: ledger.configuration.push.reach)
        _ = try PushReceiver(p256dh: body.keys.p256dh, auth: body.keys.auth)
        let target = PushTarget(
            endpoint: endpoint.text,
            p256dh: body.keys.p256dh,
            auth: body.keys.auth
        )
        return try await ledger.answer(
            SetBrowser(of: try request.asker.requireUser(), endpoint.digest, to: target),
            request
        )
    }

    private func unsubscribe(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        guard let text = request.text("endpoint") else {
            throw Problem(.malformedRequest, detail: "endpoint says which browser; give it")
        }
        let request = try await ledger.command(request, context)
        let endpoint = try PushEndpoint(text, within: ledger.configuration.push.reach)
        return try await ledger.answer(
            SetBrowser(of: try request.asker.requireUser(), endpoint.digest, to: nil),
            request
        )
    }

    /// A test goes through the queue as every alert does.
    private func test(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let request = try await ledger.command(request, context)
        let user = try request.asker.requireUser()
        guard
            let command = try ledger.alert(
                to: user,
                about: .user(user),
                .info,
                "sender-test",
                words: nil,
                key: "reach-test \(request.command)",
                timeToLiveSeconds: 900
            )
        else {
            throw Problem(
                .conflict,
                detail:
                    "you gave no way to be told; save a number, an address or this browser first"
            )
        }
        return try await ledger.answer(command, request, status: .created) { ["alert": "\($0)"] }
    }

    private func user(of principal: Principal) throws(Problem) -> UserID {
        guard let user = principal.user else {
            throw Problem(.forbidden, detail: "only accounts are told; sign in as one")
        }
        return user
    }
}
