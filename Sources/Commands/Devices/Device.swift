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
    /// Who gave that code, and so stands behind the phone (decision 0072).
    public private(set) var codeGiver: Giver?
    /// Whether it came by a one-use link, and is in that link's session alone.
    public private(set) var isGuest = false
    /// When it was registered: it sees what begins from then on (ruling 39).
    public private(set) var registeredAt: Timestamp?
    /// The older phones that agreed to what they see.
    public private(set) var admittedBy: Set<DeviceID> = []
    /// The earlier sessions that it was let into, and by which phones and members of the centre.
    public private(set) var admissions: [SessionID: Set<Actor>] = [:]
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
        let actor = event.envelope.actor
        switch fact {
        case .codeIssued(let issued):
            (code, codeOrganisation) = (issued, event.envelope.organisation)
            codeGiver = issued.by.map { Giver($0, named: actor) }
        case .admitted(let admitted):
            if let session = admitted.session {
                admissions[session, default: []].insert(actor)
            } else if let older = actor.device {
                admittedBy.insert(older)
            }
        case .registered(let registered):
            (person, registeredAt) = (registered.person, event.envelope.time)
            isGuest = registered.verification == .link
            // Of older ledgers, whose codes were no events.
            if !isGuest, codeGiver == nil { codeGiver = registered.codeGivenBy.map { Giver($0) } }
        case .revoked: (isRevoked, push) = (true, nil)
        case .pushSubscribed(let subscribed): push = subscribed.subscription
        case .pushUnsubscribed(let ended) where push == ended.subscription: push = nil
        case .pushExpired(let ended) where push == ended.subscription: push = nil
        case .pushUnsubscribed, .pushExpired: break
        }
    }
}
