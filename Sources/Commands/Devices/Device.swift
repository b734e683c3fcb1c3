// SPDX-License-Identifier: Apache-2.0
public import Events

/// A device with a proven phone number.
public struct Device: Fold {
    public let id: DeviceID
    /// Whose number it proved; `nil` before it was registered.
    public private(set) var person: PersonID?
    /// The code by which it may be registered; `nil` before there is one.
    public private(set) var code: DeviceCodeIssued?
    /// Whose code it is.
    public private(set) var codeOrganisation: OrganisationID?
    /// The earlier sessions that it may see.
    public private(set) var admitted: Set<SessionID> = []
    public private(set) var isRevoked = false
    /// By which pushes reach it; `nil` where none do.
    public private(set) var push: PushSubscriptionID?

    public init(_ id: DeviceID) {
        self.id = id
    }

    public static func source(of id: DeviceID) -> FoldSource { .subject(.device(id)) }

    /// Whose number the code is for by which it may be registered; `nil` before there is one.
    public var codeOwner: PersonID? { code?.person }

    /// The person for whom it may act.
    public var validPerson: PersonID? { isRevoked ? nil : person }

    /// Takes in an event of the device's subject.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .device(let fact) = event.fact else { return }
        switch fact {
        case .codeIssued(let issued):
            (code, codeOrganisation) = (issued, event.envelope.organisation)
        case .admitted(let fact): if let session = fact.session { admitted.insert(session) }
        case .registered(let registered): person = registered.person
        case .revoked: (isRevoked, push) = (true, nil)
        case .pushSubscribed(let subscribed): push = subscribed.subscription
        case .pushUnsubscribed(let ended) where push == ended.subscription: push = nil
        case .pushExpired(let ended) where push == ended.subscription: push = nil
        case .pushUnsubscribed, .pushExpired: break
        }
    }
}
