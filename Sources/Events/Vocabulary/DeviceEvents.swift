// SPDX-License-Identifier: Apache-2.0

/// What can happen to a caller's device.
public enum DeviceEvent: EventFamily {
    case codeIssued(DeviceCodeIssued)
    case registered(DeviceRegistered)
    case admitted(DeviceAdmitted)
    case revoked(DeviceRevoked)
    case pushSubscribed(PushSubscribed)
    case pushUnsubscribed(PushUnsubscribed)
    case pushExpired(PushExpired)

    public static let kinds: [any EventPayload.Type] = [
        DeviceCodeIssued.self, DeviceRegistered.self, DeviceAdmitted.self, DeviceRevoked.self,
        PushSubscribed.self, PushUnsubscribed.self, PushExpired.self,
    ]

    public var fact: Fact { .device(self) }

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .codeIssued(let payload): payload
        case .registered(let payload): payload
        case .admitted(let payload): payload
        case .revoked(let payload): payload
        case .pushSubscribed(let payload): payload
        case .pushUnsubscribed(let payload): payload
        case .pushExpired(let payload): payload
        }
    }
}

/// A phone may see what its number's owner did before it was registered (ruling 39).
///
/// The actor is who agreed: an older phone of the same person, or the owner of the session.
public struct DeviceAdmitted: EventPayload {
    public static let row = EventKind(
        "device.admitted/1",
        DeviceEvent.admitted,
        audience: .desk,
        linksDigest: 0x0CD6_861B
    )

    public let person: PersonID
    /// To which session; `nil` for all of the person's.
    public let session: SessionID?

    public init(person: PersonID, session: SessionID? = nil) {
        self.person = person
        self.session = session
    }

    public var links: [SubjectLink] {
        [.owner(.person(person))]
    }
}

/// Somebody was given a code, by which a phone can be registered for a number (ruling 39).
///
/// The subject is the device that the code will register; the code itself stands nowhere.
public struct DeviceCodeIssued: EventPayload {
    public static let row = EventKind(
        "device.code_issued/1",
        DeviceEvent.codeIssued,
        audience: .desk,
        linksDigest: 0x48C9_1F7E
    )

    /// Who owns the number.
    public let person: PersonID
    public let phone: Sealed<PhoneNumber>
    /// The operator who asked for the code; `nil` where the number's owner did, and got it by SMS.
    public let by: UserID?
    /// Why, in words.
    public let reason: Sealed<String>
    public let expires: Timestamp

    public init(
        person: PersonID,
        phone: Sealed<PhoneNumber>,
        by: UserID?,
        reason: Sealed<String>,
        expires: Timestamp
    ) {
        self.person = person
        self.phone = phone
        self.by = by
        self.reason = reason
        self.expires = expires
    }

    public var links: [SubjectLink] {
        [.owner(.person(person))]
    }
}

/// A device proved its phone number and got a token.
public struct DeviceRegistered: EventPayload {
    public static let row = EventKind(
        "device.registered/1",
        DeviceEvent.registered,
        audience: .desk,
        linksDigest: 0xF870_BC77
    )

    /// Who owns the number.
    public let person: PersonID
    public let phone: Sealed<PhoneNumber>
    public let verification: Verification
    /// Who gave out the one-time code (ruling 24).
    public let codeGivenBy: UserID?
    /// The device's own key, base64, if it has one.
    public let publicKey: String?

    public init(
        person: PersonID,
        phone: Sealed<PhoneNumber>,
        verification: Verification,
        codeGivenBy: UserID? = nil,
        publicKey: String? = nil
    ) {
        self.person = person
        self.phone = phone
        self.verification = verification
        self.codeGivenBy = codeGivenBy
        self.publicKey = publicKey
    }

    public var links: [SubjectLink] {
        [.owner(.person(person))]
    }

    /// How the number was verified.
    public enum Verification: String, Codable, Hashable, Sendable, CaseIterable {
        case operatorCode = "operator_code"
        case link
        case sms
    }
}

/// The device's token is void.
public struct DeviceRevoked: EventPayload {
    public static let row = EventKind(
        "device.revoked/1",
        DeviceEvent.revoked,
        audience: .desk,
        lowDisk: .take,
        linksDigest: 0x4E9A_9387
    )

    public let person: PersonID
    public let reason: String

    public init(person: PersonID, reason: String) {
        self.person = person
        self.reason = reason
    }

    public var links: [SubjectLink] {
        [.owner(.person(person))]
    }
}

/// The push service does not know the subscription any more.
public struct PushExpired: EventPayload {
    public static let row = EventKind(
        "push.expired/1",
        DeviceEvent.pushExpired,
        audience: .desk,
        linksDigest: 0xB4C8_5810
    )

    public let subscription: PushSubscriptionID
    public let person: PersonID
    /// What the push service answered: 404 or 410.
    public let status: Int

    public init(subscription: PushSubscriptionID, person: PersonID, status: Int) {
        self.subscription = subscription
        self.person = person
        self.status = status
    }

    public var links: [SubjectLink] {
        [.owner(.person(person))]
    }
}

/// A device may be told by Web Push that the centre asks for its owner.
///
/// Address and keys are secrets of the person and stand nowhere in the ledger.
public struct PushSubscribed: EventPayload {
    public static let row = EventKind(
        "push.subscribed/1",
        DeviceEvent.pushSubscribed,
        audience: .desk,
        linksDigest: 0x256A_02A5
    )

    public let subscription: PushSubscriptionID
    public let person: PersonID
    /// The SHA-256 of the address at the push service.
    public let endpoint: Sealed<SHA256Digest>

    public init(
        subscription: PushSubscriptionID,
        person: PersonID,
        endpoint: Sealed<SHA256Digest>
    ) {
        self.subscription = subscription
        self.person = person
        self.endpoint = endpoint
    }

    public var links: [SubjectLink] {
        [.owner(.person(person))]
    }
}

/// The device's owner wants no more pushes on it.
public struct PushUnsubscribed: EventPayload {
    public static let row = EventKind(
        "push.unsubscribed/1",
        DeviceEvent.pushUnsubscribed,
        audience: .desk,
        linksDigest: 0x0A9F_DB4F
    )

    public let subscription: PushSubscriptionID
    public let person: PersonID

    public init(subscription: PushSubscriptionID, person: PersonID) {
        self.subscription = subscription
        self.person = person
    }

    public var links: [SubjectLink] {
        [.owner(.person(person))]
    }
}
