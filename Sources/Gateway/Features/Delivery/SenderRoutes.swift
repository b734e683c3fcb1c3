// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import HTTPTypes
import Hummingbird
import Projections

/// The routes by which an administrator sets up how e-mail and SMS leave, and sees whether they do.
struct SenderRoutes: Sendable {
    let ledger: Ledger
    /// What there is to set up.
    private static let channels: [AlertChannel] = [.email, .sms]

    var routes: [Route] {
        [
            Route(.get, "/v1/senders", for: [.admin], list),
            Route(.put, "/v1/senders/:channel", for: [.admin], set),
            Route(.post, "/v1/senders/:channel/test", for: [.admin], test),
        ]
    }

    // MARK: - Reading

    private struct SenderBody: Encodable {
        let channel: AlertChannel
        /// Absent before it was set up.
        let settings: SettingsBody?
        /// Alerts that wait for it.
        let waiting: Int
        /// What keeps it from sending now; absent while it is well.
        let fault: String?
        /// Where the message centre is to send what people answer: a line of its configuration.
        let incoming: String?
        let lastAttempts: [AlertPartBody]
    }

    /// The settings as they can be shown: whether there is a password, never the password.
    private struct SettingsBody: Encodable {
        let isOn: Bool
        let host: String
        let port: Int
        let security: SenderSettings.Security
        let user: String?
        let hasPassword: Bool
        let from: String
        let perMinute: Int
        let reportsTo: String?

        init(_ settings: SenderSettings) {
            isOn = settings.isOn
            host = settings.host
            port = settings.port
            security = settings.security
            user = settings.user
            hasPassword = settings.secret != nil
            from = settings.from
            perMinute = settings.perMinute
            reportsTo = settings.reportsTo
        }
    }

    private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        _ = try context.signedIn()
        try await ledger.awaitLevel(request, of: "alert-queue")
        var items: [SenderBody] = []
        for channel in Self.channels { items.append(try await body(of: channel)) }
        return try .json(PageBody(items: items))
    }

    private func body(of channel: AlertChannel) async throws -> SenderBody {
        let alerts = ledger.readModels.alerts
        let settings = try ledger.handler.current(MessageSender.self, channel).settings
        let base = channel == .sms ? settings?.reportsTo : nil
        let placeholders = "from=%p&to=%P&text=%b&id=%I"
        return SenderBody(
            channel: channel,
            settings: settings.map(SettingsBody.init),
            waiting: try await alerts.waiting(for: channel),
            fault: ledger.standings.fault(of: DeliveryPolicy.part(channel))?.words,
            incoming: base.map {
                "\($0)/v1/sms/incoming?key=\(ledger.deliverySecrets.incomingCode)&\(placeholders)"
            },
            lastAttempts: try await alerts.lastParts(
                by: channel,
                limit: DeliveryLimits.shownAttempts
            ).map(AlertPartBody.init)
        )
    }

    // MARK: - Setting up

    private struct SettingsRequest: Decodable {
        let isOn: Bool
        let host: String
        let port: Int
        let security: SenderSettings.Security
        let user: String?
        /// A new password; where it is absent the one before stays.
        let password: String?
        let from: String
        let perMinute: Int?
        let reportsTo: String?
    }

    private func set(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let channel = try channel(context)
        let request = try await ledger.command(request, context)
        let body: SettingsRequest = try request.decoded()
        let known = try ledger.handler.current(MessageSender.self, channel).settings
        try check(body, of: channel)
        let settings = SenderSettings(
            isOn: body.isOn,
            host: body.host,
            port: body.port,
            security: body.security,
            user: body.user,
            secret: try secret(body, known),
            from: body.from,
            perMinute: body.perMinute ?? known?.perMinute ?? DeliveryLimits.perMinute,
            reportsTo: body.reportsTo.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
        )
        return try await ledger.answer(SetSender(channel, to: settings), request)
    }

    /// A password stays with the server and the user that it was given for: sent elsewhere, it would be told to others.
    private func secret(
        _ body: SettingsRequest,
        _ known: SenderSettings?
    ) throws(Problem) -> String? {
        guard let password = body.password else {
            guard let secret = known?.secret, body.user != nil else { return nil }
            guard known?.host == body.host, known?.user == body.user else {
                throw Problem(
                    .malformedRequest,
                    detail: "the server or the user is another one; give its password as well"
                )
            }
            return secret
        }
        guard let secret = ledger.deliverySecrets.encrypted(password) else {
            throw Problem(.internalError, detail: "the password could not be encrypted")
        }
        return secret
    }

    private func check(_ body: SettingsRequest, of channel: AlertChannel) throws(Problem) {
        guard body.host.allSatisfy({ !$0.isWhitespace && !"/?#@[]%".contains($0) }) else {
            throw Problem(
                .malformedRequest,
                detail: "host is a name or an address alone; the port stands in port"
            )
        }
        if channel == .email, !MailAddress.isUsable(body.from) {
            throw Problem(
                .malformedRequest,
                detail: "from is an address of e-mail, such as centre@example.org"
            )
        }
        let base = body.reportsTo ?? "http://localhost"
        guard base.hasPrefix("https://") || base.hasPrefix("http://"), !base.contains("?"),
            !base.contains("#"), base.allSatisfy({ $0.isASCII && !$0.isWhitespace })
        else {
            throw Problem(
                .malformedRequest,
                detail: "reportsTo is where the message centre reaches this gateway, "
                    + "such as https://daybook.example.org"
            )
        }
    }

    // MARK: - Testing

    private struct TestRequest: Decodable {
        /// A number or an address.
        let to: String
    }

    /// A test goes through the queue as every alert does; its end stands in the sender's last attempts.
    private func test(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let channel = try channel(context)
        let request = try await ledger.command(request, context)
        let body: TestRequest = try request.decoded()
        guard let user = request.asker.user,
            let person = try ledger.handler.current(User.self, user).account?.person
        else {
            throw Problem(.forbidden, detail: "a test is sent by an account; sign in as one")
        }
        let settings = try ledger.handler.current(MessageSender.self, channel).settings
        guard let settings, settings.isOn else {
            throw Problem(
                .conflict,
                detail: "the sender is not switched on; save its settings first"
            )
        }
        let command = QueueAlert(
            about: .sender(channel),
            severity: .info,
            template: "sender-test",
            to: person,
            sms: channel == .sms ? try number(body.to) : nil,
            email: channel == .email ? try address(body.to) : nil,
            message: try ledger.message("sender-test", .info),
            // Each press is a test of its own.
            deduplicationKey: "sender-test \(request.command)",
            timeToLiveSeconds: 900,
            openedWith: ledger.keys.unrecorded(.compared)
        )
        return try await ledger.answer(command, request, status: .created) { ["alert": "\($0)"] }
    }

    private func number(_ text: String) throws(Problem) -> PhoneNumber {
        do {
            return try GivenNumber(text, in: ledger.configuration.site.dialling).number
        } catch {
            throw Problem(.malformedRequest, detail: "to is no telephone number: \(error.words)")
        }
    }

    private func address(_ text: String) throws(Problem) -> String {
        guard MailAddress.isUsable(text) else {
            throw Problem(.malformedRequest, detail: "to is no address of e-mail; correct it")
        }
        return text
    }

    private func channel(_ context: GatewayContext) throws(Problem) -> AlertChannel {
        let name = context.parameters.get("channel") ?? ""
        guard let channel = AlertChannel(rawValue: name), Self.channels.contains(channel)
        else {
            throw Problem(.notFound, detail: "there is no sender \(name); name email or sms")
        }
        return channel
    }
}
