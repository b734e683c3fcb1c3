// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird

/// Pushes to the phone that asks: our key for its browser, and its subscription.
struct PushRoutes: Sendable {
    let ledger: Ledger

    var routes: [Route] {
        [
            Route(.get, "/v1/push/key", for: .anyone, key),
            Route(.put, "/v1/devices/me/push", for: [.reporter, .caller], subscribe),
            Route(.delete, "/v1/devices/me/push", for: [.reporter, .caller], unsubscribe),
        ]
    }

    private struct KeyBody: Encodable {
        /// The public key, as `pushManager.subscribe` takes it.
        let key: String
    }

    @Sendable private func key(_ request: Request, _ context: GatewayContext) throws -> Response {
        _ = try context.signedIn()
        return try .json(KeyBody(key: ledger.pushIdentity.publicKey))
    }

    /// What a browser's subscription is as JSON; its `expirationTime` is not needed.
    private struct SubscriptionBody: Decodable {
        let endpoint: String
        let keys: Keys

        struct Keys: Decodable {
            let p256dh: String
            let auth: String
        }
    }

    private struct SubscribedBody: Encodable {
        let subscription: PushSubscriptionID
    }

    /// Recorded first, then kept: what is kept and not recorded would be used by nobody, and asking again mends both.
    @Sendable private func subscribe(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let (device, command) = try await asked(request, context)
        let body: SubscriptionBody = try command.decoded()
        let endpoint = try PushEndpoint(
            body.endpoint,
            within: ledger.configuration.push.reach
        )
        let receiver = try PushReceiver(p256dh: body.keys.p256dh, auth: body.keys.auth)
        if let known = try await ledger.accounts.pushSubscription(of: device),
            known.endpoint == endpoint.text, known.receiver == receiver,
            try ledger.handler.current(Device.self, device).push == known.id
        {
            return try .json(SubscribedBody(subscription: known.id))
        }
        let answer = try await ledger.handler.handle(
            SubscribePush(device, by: ledger.newID(), endpoint: endpoint.digest),
            ledger.context(of: command)
        )
        let subscription = PushSubscription(
            id: answer.outcome,
            device: device,
            endpoint: endpoint.text,
            receiver: receiver
        )
        try await ledger.accounts.keep(subscription)
        var response = try Response.json(SubscribedBody(subscription: answer.outcome))
        response.headers[.ledgerPosition] = answer.receipt.map { "\($0.last)" }
        return response
    }

    @Sendable private func unsubscribe(_ request: Request, _ context: GatewayContext) async throws
        -> Response
    {
        let (device, command) = try await asked(request, context)
        let response = try await ledger.answer(EndPush(on: device, .asked), command)
        try await ledger.accounts.dropPushSubscription(of: device)
        return response
    }

    private func asked(
        _ request: Request,
        _ context: GatewayContext
    ) async throws -> (DeviceID, CommandRequest) {
        let command = try await ledger.command(request, context)
        let asker = command.asker
        guard asker.scopes.isEmpty else {
            throw Problem(
                .forbidden,
                detail: "who came by a link came for one session; keep its page open"
            )
        }
        guard let device = asker.deviceID.flatMap({ DeviceID($0) }) else {
            throw Problem(
                .forbidden,
                detail: "pushes go to a registered phone; register one and use its token",
                facts: ["role": .string(asker.role.rawValue)]
            )
        }
        return (device, command)
    }
}
