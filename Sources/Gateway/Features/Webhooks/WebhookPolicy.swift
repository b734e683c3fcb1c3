// SPDX-License-Identifier: Apache-2.0
import AsyncHTTPClient
import Commands
import Crypto
import Events
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import Projections
import Synchronization

/// Tells other systems of what the log takes in, as Standard Webhooks says: signed, in the order of the log, each event under its
/// own id however often it is tried.
///
/// An attempt whose end a crash left open is made again under the same id, by which the receiver knows it.
final class WebhookPolicy: Sendable {
    /// Permanent: actor, subject and command ids are made of it.
    static let name = "webhooks"
    /// As `/readyz` has it.
    static let service = "policy webhooks"
    /// From the second attempt on an event that the receiver refuses; then the next one comes.
    private static let refusalsMax = 7
    /// How long a receiver may be out of reach before an event is given up.
    private static let patience = Duration.seconds(3 * 86_400)

    let ledger: Ledger
    private let underWay = Mutex<Set<WebhookID>>([])

    init(ledger: Ledger) { self.ledger = ledger }

    /// One event for one webhook.
    struct Errand: Sendable {
        let webhook: Webhook
        let settings: WebhookSet
        let entry: Entry
    }

    /// Looks and tells until the gateway stops.
    func run() async {
        await LookLoop.run(ledger, at: [.category("webhook")]) {
            await self.look()
        } run: {
            await self.deliver($0)
        }
    }

    private func look() async -> [Errand] {
        do {
            var errands: [Errand] = []
            for id in try await ledger.readModels.alerts.webhooks() {
                let found = try await ledger.unlessDamaged { try await errand(id) }
                guard let errand = found ?? nil, begin(id) else { continue }
                errands.append(errand)
            }
            ledger.standings.recover(Self.service)
            return errands
        } catch {
            report(error)
            return []
        }
    }

    private func begin(_ id: WebhookID) -> Bool { underWay.withLock { $0.insert(id).inserted } }

    private func end(_ id: WebhookID) { underWay.withLock { ids in _ = ids.remove(id) } }

    private func isUnderWay(_ id: WebhookID) -> Bool { underWay.withLock { $0.contains(id) } }

    private func errand(_ id: WebhookID) async throws -> Errand? {
        guard !isUnderWay(id) else { return nil }
        let webhook = try await ledger.handler.settled(Webhook.self, id)
        guard let settings = webhook.settings, settings.isOn, let position = webhook.position,
            webhook.retryAt.map({ $0 <= ledger.now }) ?? true
        else { return nil }
        let kinds = EventCatalog.current.written.filter {
            settings.kinds.contains($0.unversioned)
        }
        let next = try kinds.compactMap { kind in
            try entry(of: kind, after: position, for: webhook)
        }.min { $0.envelope.position < $1.envelope.position }
        return next.map { Errand(webhook: webhook, settings: settings, entry: $0) }
    }

    private func entry(
        of kind: Kind,
        after position: LogPosition,
        for webhook: Webhook
    ) throws -> Entry? {
        var next = position.next
        while true {
            let page = try ledger.log.entriesPastDamage(of: kind, from: next, limit: 64)
            let own = page.entries.first {
                $0.envelope.organisation == webhook.cause?.organisation
            }
            guard own == nil, let further = page.next else { return own }
            next = further
        }
    }

    // MARK: - Telling

    private func deliver(_ errand: Errand) async {
        defer { end(errand.webhook.id) }
        do {
            let body = try JSONBody.encoder.encode(try WebhookBody(errand.entry))
            let answer = try await ledger.tell(
                errand.settings,
                body,
                as: "\(errand.entry.envelope.id)"
            )
            try await end(errand, answer)
        } catch {
            report(error)
        }
    }

    private func end(_ errand: Errand, _ answer: PushSender.Answer) async throws {
        guard let cause = errand.webhook.cause, let setAt = errand.webhook.setAt else { return }
        let attempt = errand.webhook.attempts + 1
        let position = Int(clamping: errand.entry.envelope.position.rawValue)
        func failed(_ why: String, again: Duration?) -> WebhookEvent {
            .failed(
                WebhookFailed(
                    position: position,
                    attempt: attempt,
                    error: String(why.prefix(300)),
                    retryAfterSeconds: again.map { Int($0 / .seconds(1)) }
                )
            )
        }
        let pause = min(
            DeliveryLimits.firstRetry * pow(2, Double(min(attempt, 12) - 1)),
            DeliveryLimits.retryMax
        )
        let isOld = ledger.now - errand.entry.envelope.time > Self.patience
        let end: WebhookEvent =
            switch answer {
            case .taken: .delivered(WebhookDelivered(position: position, attempt: attempt))
            case .refused(let why):
                failed(why, again: attempt < Self.refusalsMax ? pause : nil)
            case .gone(let status):
                failed("the receiver answered \(status)", again: isOld ? nil : pause)
            case .busy(let why, let asked):
                failed(why, again: isOld ? nil : max(pause, .seconds(min(asked ?? 0, 3_600))))
            }
        try await ledger.handle(
            RecordWebhookAttempt(errand.webhook.id, end),
            of: Self.name,
            because: cause,
            // What was set anew is tried anew.
            step: "\(position)-\(attempt)-\(setAt.microseconds)"
        )
    }

    private func report(_ error: any Error) {
        guard !(error is CancellationError), !ledger.log.isClosed else { return }
        switch error {
        case is ReadModelError:
            ledger.logger.debug("webhooks wait", metadata: ["reason": "\(error)"])
        default:
            guard ledger.standings.fail(Self.service, Fault(error)) else { return }
            ledger.logger.error("webhooks could not go on", metadata: ["error": "\(error)"])
        }
    }
}

/// What a webhook is told of an event: what stands open in its summary; nothing that is sealed.
struct WebhookBody: Encodable {
    let type: String
    let timestamp: Timestamp
    let data: Content

    struct Content: Encodable {
        let event: EventID
        /// The place in the log, as text.
        let position: LogPosition
        let subject: Subject
        let actor: Actor
        let details: [String: String]
    }

    init(_ entry: Entry) throws {
        let event = try EventDecoder().decode(entry)
        let envelope = entry.envelope
        type = entry.envelope.kind.unversioned
        timestamp = envelope.time
        let open = event.fact.payload.summary.compactMap { part -> (String, String)? in
            guard case .text(let text) = part.value else { return nil }
            return (part.name, text)
        }
        data = Content(
            event: envelope.id,
            position: envelope.position,
            subject: envelope.subject,
            actor: envelope.actor,
            details: Dictionary(open) { first, _ in first }
        )
    }
}

extension Ledger {
    /// Hands one signed message to a webhook's receiver (Standard Webhooks 1.0).
    ///
    /// - Parameters:
    ///   - settings: Where to, and what signs.
    ///   - body: JSON.
    ///   - id: By which the receiver knows the message again.
    /// - Returns: What it said.
    /// - Throws: `CancellationError`, and where the secret does not open.
    func tell(_ settings: WebhookSet, _ body: Data, as id: String) async throws
        -> PushSender.Answer
    {
        let push = configuration.push
        let endpoint: PushEndpoint
        do {
            endpoint = try PushEndpoint(settings.url, within: push.reach)
        } catch {
            return .refused("the address cannot be used any more")
        }
        let seconds = Int(configuration.clock.now().microseconds / 1_000_000)
        let isOldGood = settings.oldSecretUntil.map { $0 > now } ?? false
        let secrets = [settings.secret] + (isOldGood ? [settings.oldSecret].compactMap(\.self) : [])
        let signatures = secrets.compactMap { deliverySecrets.password($0) }.compactMap { secret in
            WebhookSecret(secret)?.signature(of: id, at: seconds, body)
        }
        guard signatures.count == secrets.count else {
            return .busy("the secret does not open with the master key", retryAfterSeconds: 300)
        }
        var request = HTTPClientRequest(url: endpoint.text)
        request.method = .POST
        request.body = .bytes(ByteBuffer(bytes: body))
        request.headers = [
            "content-type": "application/json", "webhook-id": id,
            "webhook-timestamp": "\(seconds)",
            "webhook-signature": signatures.joined(separator: " "),
            "user-agent": "Daybook",
        ]
        let sender = PushSender(
            identity: pushIdentity,
            reach: push.reach,
            timeLimit: push.timeLimit,
            trustRoots: push.trustRoots,
            now: { seconds },
            receiver: "receiver"
        )
        return try await sender.answer(to: request, at: endpoint)
    }
}

/// The secret of a webhook: `whsec_` and 32 bytes in base64.
struct WebhookSecret: Sendable {
    let text: String
    private let key: SymmetricKey

    /// A new one.
    init() {
        let bytes = Data(SecretBytes.random(32))
        text = Self.prefix + bytes.base64EncodedString()
        key = SymmetricKey(data: bytes)
    }

    /// `nil` for what is none.
    init?(_ text: String) {
        guard text.hasPrefix(Self.prefix),
            let bytes = Data(base64Encoded: String(text.dropFirst(Self.prefix.count))),
            (24...64).contains(bytes.count)
        else { return nil }
        self.text = text
        key = SymmetricKey(data: bytes)
    }

    /// `v1,` and the HMAC-SHA256 of id, time and body.
    func signature(of id: String, at seconds: Int, _ body: Data) -> String {
        let signed = Data("\(id).\(seconds).".utf8) + body
        let code = HMAC<SHA256>.authenticationCode(for: signed, using: key)
        return "v1," + Data(code).base64EncodedString()
    }

    private static let prefix = "whsec_"
}
