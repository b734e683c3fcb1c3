// SPDX-License-Identifier: Apache-2.0
public import Events

/// What a person was alerted of last, so that the same is not said twice in a short time.
public struct Contact: Fold {
    public let id: PersonID
    /// The last alert of each deduplication key.
    public private(set) var alerts: [String: Queued] = [:]

    /// An alert in the queue.
    public struct Queued: Hashable, Sendable {
        public let alert: AlertID
        public let place: Place
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
        alerts[queued.deduplicationKey] = Queued(alert: alert, place: Place(event.envelope))
    }
}
