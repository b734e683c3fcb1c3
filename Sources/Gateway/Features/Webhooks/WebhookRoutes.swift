// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import HTTPTypes
import Hummingbird
import Projections

/// The routes by which an administrator sets up which other systems are told of what.
struct WebhookRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(.get, "/v1/webhook-kinds", for: [.admin], kinds),
            Route(.get, "/v1/webhooks", for: [.admin], list),
            Route(.post, "/v1/webhooks", for: [.admin], add),
            Route(.put, "/v1/webhooks/:id", for: [.admin], change),
            Route(.delete, "/v1/webhooks/:id", for: [.admin], remove),
            Route(.post, "/v1/webhooks/:id/secret", for: [.admin], renew),
            Route(.post, "/v1/webhooks/:id/test", for: [.admin], test),
        ]
    }

    /// How long an old secret signs along.
    private static let oldSecretLife = Duration.seconds(86_400)

    // MARK: - Reading

    private func kinds(_ request: Request, _ context: GatewayContext) async throws -> Response {
        _ = try context.signedIn()
        return try .json(PageBody(items: SetWebhook.kinds.sorted()))
    }

    private struct WebhookRow: Encodable {
        let id: WebhookID
        let url: String
        let kinds: [String]
        let isOn: Bool
        /// How many events it took, and when it took the last.
        let delivered: Int
        let deliveredAt: Timestamp?
        /// Absent while it takes what it is told.
        let fault: FaultBody?
    }

    private struct FaultBody: Encodable {
        let error: String
        let attempts: Int
        let nextAt: Timestamp?
    }

    private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let principal = try context.signedIn()
        try await ledger.awaitLevel(request, of: "alert-queue")
        let ids = try await ledger.readModels.alerts.webhooks(of: principal.organisation)
        let rows = try ids.compactMap { id -> WebhookRow? in
            let webhook = try ledger.handler.current(Webhook.self, id)
            guard let settings = webhook.settings else { return nil }
            return WebhookRow(
                id: id,
                url: settings.url,
                kinds: settings.kinds,
                isOn: settings.isOn,
                delivered: webhook.delivered,
                deliveredAt: webhook.deliveredAt,
                fault: webhook.error.map {
                    FaultBody(error: $0, attempts: webhook.attempts, nextAt: webhook.retryAt)
                }
            )
        }
        return try .json(PageBody(items: rows))
    }

    // MARK: - Setting up

    private struct WebhookRequest: Decodable {
        let url: String
        let kinds: [String]
        let isOn: Bool
    }

    /// The secret is told this once; who lost it makes a new one.
    private func add(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let request = try await ledger.command(request, context)
        let body: WebhookRequest = try request.decoded()
        let id: WebhookID = ledger.newID()
        let secret = WebhookSecret()
        let settings = WebhookSet(
            url: try usable(body.url),
            kinds: body.kinds.sorted(),
            isOn: body.isOn,
            secret: try encrypted(secret)
        )
        let answer = try await ledger.handler.handle(
            SetWebhook(id, to: settings),
            ledger.context(of: request)
        )
        try answer.requireFirst("webhook")
        return try told(id, secret, answer.receipt, .created)
    }

    private struct SecretBody: Encodable {
        let webhook: WebhookID
        /// Told once.
        let secret: String
    }

    private func told(
        _ id: WebhookID,
        _ secret: WebhookSecret,
        _ receipt: Receipt?,
        _ status: HTTPResponse.Status
    ) throws -> Response {
        var response = try Response.json(
            SecretBody(webhook: id, secret: secret.text),
            status: status
        )
        response.headers[.ledgerPosition] = receipt.map { "\($0.last)" }
        return response
    }

    private func change(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (id, known, request) = try await asked(request, context)
        let body: WebhookRequest = try request.decoded()
        let settings = WebhookSet(
            url: try usable(body.url),
            kinds: body.kinds.sorted(),
            isOn: body.isOn,
            secret: known.secret,
            oldSecret: known.oldSecret,
            oldSecretUntil: known.oldSecretUntil
        )
        return try await ledger.answer(SetWebhook(id, to: settings), request)
    }

    private func remove(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (id, known, request) = try await asked(request, context)
        let settings = WebhookSet(
            url: known.url,
            kinds: known.kinds,
            isOn: false,
            secret: known.secret,
            isRetired: true
        )
        return try await ledger.answer(SetWebhook(id, to: settings), request)
    }

    private func renew(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (id, known, request) = try await asked(request, context)
        let secret = WebhookSecret()
        let settings = WebhookSet(
            url: known.url,
            kinds: known.kinds,
            isOn: known.isOn,
            secret: try encrypted(secret),
            oldSecret: known.secret,
            oldSecretUntil: ledger.now + Self.oldSecretLife
        )
        let answer = try await ledger.handler.handle(
            SetWebhook(id, to: settings),
            ledger.context(of: request)
        )
        try answer.requireFirst("secret")
        return try told(id, secret, answer.receipt, .ok)
    }

    // MARK: - Testing

    private struct TestBody: Encodable {
        let type = "webhook.test"
        let timestamp: Timestamp
        let data = ["words": "This is a test."]
    }

    /// Sent at once, and answered when the receiver has answered.
    private func test(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (_, settings, command) = try await asked(request, context)
        let body = try JSONBody.encoder.encode(TestBody(timestamp: ledger.now))
        let said = try await ledger.tell(settings, body, as: "test-\(command.command)")
        switch said {
        case .taken: return try .json(["answer": "taken"])
        case .gone(let status):
            throw Problem(.conflict, detail: "the receiver answered \(status); check the address")
        case .refused(let why), .busy(let why, _):
            throw Problem(.conflict, detail: "the test did not arrive: \(why)")
        }
    }

    // MARK: - What both need

    private func asked(
        _ request: Request,
        _ context: GatewayContext
    ) async throws -> (WebhookID, WebhookSet, CommandRequest) {
        let id: WebhookID = try context.id()
        let request = try await ledger.command(request, context)
        try ledger.rights.requireInReach(.webhook(id), of: request.asker)
        guard let known = try ledger.handler.current(Webhook.self, id).settings else {
            throw WebhookRefusal.unknown(id)
        }
        return (id, known, request)
    }

    /// The address as it will be contacted; where it leads is looked up again each time something is sent.
    private func usable(_ url: String) throws(Problem) -> String {
        do {
            return try PushEndpoint(url, within: ledger.configuration.push.reach).text
        } catch {
            throw Problem(
                .malformedRequest,
                detail:
                    "url cannot be used: it is to be https, of a public host, without user and fragment"
            )
        }
    }

    private func encrypted(_ secret: WebhookSecret) throws(Problem) -> String {
        guard let text = ledger.deliverySecrets.encrypted(secret.text) else {
            throw Problem(.internalError, detail: "the secret could not be encrypted")
        }
        return text
    }
}
