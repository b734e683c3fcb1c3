// SPDX-License-Identifier: Apache-2.0
public import Events

/// What a person was alerted of last, so that the same is not said twice in a short time.
public struct Contact: Fold {
    public let id: PersonID
    /// The last alert of each organisation and deduplication key.
    public private(set) var alerts: [Key: Queued] = [:]

    /// What makes two alerts the same.
    public struct Key: Hashable, Sendable {
        public let organisation: OrganisationID
        public let text: String
    }

    /// An alert in the queue.
    public struct Queued: Hashable, Sendable {
        public let alert: AlertID
        public let place: Place
        public let severity: AlertQueued.Severity
        public let timeToLiveSeconds: Int

        /// Whether it is still to be told, and as urgent as another that is to be.
        func covers(_ severity: AlertQueued.Severity, at now: Timestamp) -> Bool {
            self.severity.urgency >= severity.urgency
                && now.isLess(than: .seconds(timeToLiveSeconds), after: place.time)
        }
    }

    public init(_ id: PersonID) {
        self.id = id
    }

    public static func source(of id: PersonID) -> FoldSource { .links(to: .caller(.person(id))) }

    /// Takes in an event that links to the person; of interest are queued alerts.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .alert(.queued(let queued)) = event.fact, queued.contact == id,
            let alert = AlertID(String(event.envelope.subject.name))
        else { return }
        let key = Key(
            organisation: event.envelope.organisation,
            text: queued.deduplicationKey
        )
        alerts[key] = Queued(
            alert: alert,
            place: Place(event.envelope),
            severity: queued.severity,
            timeToLiveSeconds: queued.timeToLiveSeconds
        )
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
