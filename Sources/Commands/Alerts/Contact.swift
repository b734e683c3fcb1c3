// SPDX-License-Identifier: Apache-2.0
public import Events

/// What a person was alerted of last, so that the same is not said twice in a short time.
public struct Contact: Fold {
    public let id: PersonID
    /// The last alerts that say the same, oldest first.
    private var alerts: [Key: [Queued]] = [:]
    /// On which channels the contact wants no messages.
    public private(set) var stopped: Set<AlertChannel> = []

    /// So many that say the same are remembered, for as many addresses; what is forgotten is told again.
    private static let alertsOfKeyMax = 8

    /// What makes two alerts say the same: what is told of what, and the sender's own word, which can only make them
    /// different.
    struct Key: Hashable, Sendable {
        let organisation: OrganisationID
        let cause: Subject
        let template: String
        let push: DeviceID?
        let text: String
    }

    /// An alert in the queue.
    public struct Queued: Hashable, Sendable {
        public let alert: AlertID
        public let place: Place
        public let severity: AlertQueued.Severity
        public let timeToLiveSeconds: Int
        /// Who queued it; nobody else's alert takes its place.
        let actor: Actor
        let sms: Sealed<PhoneNumber>?
        let email: Sealed<String>?

        /// Whether it is still to be told, and as urgent as another that is to be.
        func covers(_ severity: AlertQueued.Severity, at now: Timestamp) -> Bool {
            self.severity.urgency >= severity.urgency
                && now.isLess(than: .seconds(timeToLiveSeconds), after: place.time)
        }

        /// Whether it goes to these addresses, and to no others; what was erased is no address.
        func goes(
            to sms: PhoneNumber?,
            _ email: String?,
            _ keys: any PersonKeys
        ) throws(SealingError) -> Bool {
            let known = (try self.sms?.opened(with: keys), try self.email?.opened(with: keys))
            return known.0 == sms.map { .value($0) } && known.1 == email.map { .value($0) }
        }
    }

    public init(_ id: PersonID) {
        self.id = id
    }

    public static func source(of id: PersonID) -> FoldSource { .links(to: .caller(.person(id))) }

    /// Takes in an event that links to the person; of interest are queued alerts, and that the contact wants no more.
    public mutating func apply(_ event: RecordedEvent) {
        if case .alert(.answered(let answered)) = event.fact, answered.contact == id {
            switch answered.answer {
            case .stopped: stopped.insert(answered.channel)
            case .resumed: stopped.remove(answered.channel)
            case .acknowledged, .other: break
            }
        }
        guard case .alert(.queued(let queued)) = event.fact, queued.contact == id,
            let alert = AlertID(String(event.envelope.subject.name))
        else { return }
        let key = Key(
            organisation: event.envelope.organisation,
            cause: queued.cause,
            template: queued.template,
            push: queued.push,
            text: queued.deduplicationKey
        )
        let last = Queued(
            alert: alert,
            place: Place(event.envelope),
            severity: queued.severity,
            timeToLiveSeconds: queued.timeToLiveSeconds,
            actor: event.envelope.actor,
            sms: queued.sms,
            email: queued.email
        )
        alerts[key] = (alerts[key, default: []] + [last]).suffix(Self.alertsOfKeyMax)
    }

    /// The alerts that say the same, newest first.
    func alerts(saying key: Key) -> ReversedCollection<[Queued]> {
        alerts[key, default: []].reversed()
    }
}

extension AlertQueued.Severity {
    /// How soon it must be heard: what is more urgent has the higher number.
    fileprivate var urgency: Int {
        switch self {
        case .info: 0
        case .warning: 1
        case .critical: 2
        }
    }
}
