// SPDX-License-Identifier: Apache-2.0
public import Events

/// Another system that is told of what the log takes in, one event after the other.
public struct Webhook: Fold {
    public let id: WebhookID
    /// `nil` before it was set up, and when it was given up.
    public private(set) var settings: WebhookSet?
    /// The event that set it up first.
    public private(set) var cause: Cause?
    public private(set) var setAt: Timestamp?
    /// The last event that it took, or that was given up for it; at first its own beginning.
    public private(set) var position: LogPosition?
    /// How many it took, and when it took the last.
    public private(set) var delivered = 0
    public private(set) var deliveredAt: Timestamp?
    /// Attempts of the next event by now.
    public private(set) var attempts = 0
    public private(set) var retryAt: Timestamp?
    /// What it said last; `nil` when it took what it was told last.
    public private(set) var error: String?

    public init(_ id: WebhookID) {
        self.id = id
    }

    public static func source(of id: WebhookID) -> FoldSource { .subject(.webhook(id)) }

    /// Takes in an event of the webhook's subject.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .webhook(let fact) = event.fact else { return }
        switch fact {
        case .set(let set):
            let wasOff = settings?.isOn == false
            settings = set.isRetired ? nil : set
            cause = cause ?? Cause(event.envelope)
            setAt = event.envelope.time
            // While it is off it misses what happens; switched on again it begins there.
            if position == nil || wasOff && set.isOn { position = event.envelope.position }
            (attempts, retryAt) = (0, nil)
        case .delivered(let delivered):
            self.delivered += 1
            deliveredAt = event.envelope.time
            pass(LogPosition(delivered.position))
            error = nil
        case .failed(let failed):
            error = failed.error
            guard let wait = failed.retryAfterSeconds else {
                return pass(LogPosition(failed.position))
            }
            attempts = failed.attempt
            retryAt =
                event.envelope.time
                + .seconds(min(max(0, wait), CommandLimits.alertTimeToLiveSecondsMax))
        }
    }

    private mutating func pass(_ position: LogPosition) {
        self.position = max(self.position ?? position, position)
        (attempts, retryAt) = (0, nil)
    }
}

/// Sets up a webhook, changes it, or gives it up.
public struct SetWebhook: Command {
    public let webhook: WebhookID
    public let settings: WebhookSet

    public init(_ webhook: WebhookID, to settings: WebhookSet) {
        self.webhook = webhook
        self.settings = settings
    }

    public typealias Refusal = WebhookRefusal

    public var subject: Subject { .webhook(webhook) }

    public func read(_ ledger: inout LedgerView) throws -> Webhook {
        try ledger.read(Webhook.self, webhook)
    }

    public func decide(
        _ state: Webhook,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        try InputFault.check(
            settings.url,
            "url",
            bytesMax: CommandLimits.senderTextBytesMax,
            else: Refusal.unacceptable
        )
        let known = Self.kinds
        try InputFault.check(
            !settings.kinds.isEmpty && settings.kinds.allSatisfy(known.contains),
            "kinds",
            settings.kinds.first { !known.contains($0) } ?? "none",
            allowed: "a kind of event that webhooks are told of, such as session.created",
            else: Refusal.unacceptable
        )
        guard state.settings != settings else { return .already(()) }
        if state.settings == nil, settings.isRetired { throw .unknown(webhook) }
        return .record([.webhook(webhook, .set(settings))])
    }

    /// What a webhook can be told of, without versions: all but what is for who supervises alone.
    public static let kinds: Set<String> = Set(
        EventCatalog.current.kinds { $0.audience != .supervision }.map { $0.unversioned }
    )
}

extension LogPosition {
    fileprivate init(_ position: Int) { self.init(UInt64(max(0, position))) }
}

extension Kind {
    /// `session.created` of `session.created/1`.
    public var unversioned: String { String(text.prefix { $0 != "/" }) }
}

/// Records what became of telling a webhook of an event.
public struct RecordWebhookAttempt: Command {
    public let webhook: WebhookID
    public let end: WebhookEvent

    public init(_ webhook: WebhookID, _ end: WebhookEvent) {
        self.webhook = webhook
        self.end = end
    }

    public typealias Refusal = WebhookRefusal

    public var subject: Subject { .webhook(webhook) }

    public func read(_ ledger: inout LedgerView) throws -> Webhook {
        try ledger.read(Webhook.self, webhook)
    }

    public func decide(
        _ state: Webhook,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard let position = state.position, state.settings != nil else { throw .unknown(webhook) }
        let told: LogPosition? =
            switch end {
            case .set: nil
            case .delivered(let delivered): LogPosition(delivered.position)
            case .failed(let failed): LogPosition(failed.position)
            }
        guard let told, told > position else { throw .overtaken(webhook) }
        return .record([.webhook(webhook, end)])
    }
}

/// Why nothing of a webhook was recorded.
public enum WebhookRefusal: CommandRefusal {
    case unknown(WebhookID)
    /// It went on meanwhile.
    case overtaken(WebhookID)
    case unacceptable(InputFault)

    public var problem: Problem {
        switch self {
        case .unknown(let id):
            Problem(
                .notFound,
                "webhook-unknown",
                "changing a webhook refused: there is no webhook \(id); look at the list",
                facts: ["webhook": "\(id)"]
            )
        case .overtaken(let id):
            Problem(
                .conflict,
                "webhook-overtaken",
                "recording an attempt refused: webhook \(id) went on meanwhile; tell it nothing twice",
                facts: ["webhook": "\(id)"]
            )
        case .unacceptable(let fault): fault.problem
        }
    }
}
