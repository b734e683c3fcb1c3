// SPDX-License-Identifier: Apache-2.0

/// By which ways a member of staff is told of something was set; the subject is the account.
public struct ReachSet: EventPayload {
    public static let row = EventKind(
        "user.reach_set/1",
        CallOutEvent.reachSet,
        audience: .supervision,
        linksDigest: 0xA9F5_9F68
    )

    /// The person behind the account.
    public let person: PersonID
    public let phone: Sealed<PhoneNumber>?
    public let email: Sealed<String>?
    /// Two letters (ISO 639-1), in which messages are written.
    public let language: String
    /// Until when nobody calls; it ends by itself.
    public let offDutyUntil: Timestamp?

    public init(
        person: PersonID,
        phone: Sealed<PhoneNumber>?,
        email: Sealed<String>?,
        language: String,
        offDutyUntil: Timestamp?
    ) {
        self.person = person
        self.phone = phone
        self.email = email
        self.language = language
        self.offDutyUntil = offDutyUntil
    }

    public var links: [SubjectLink] { [.owner(.person(person))] }
}

/// A browser of a member of staff takes pushes from now on, or does no more; the subject is the account.
public struct BrowserSet: EventPayload {
    public static let row = EventKind(
        "user.browser_set/1",
        CallOutEvent.browserSet,
        audience: .supervision,
        linksDigest: 0x4663_7B36
    )

    /// The person behind the account.
    public let person: PersonID
    /// Which browser: the digest of its endpoint.
    public let browser: SHA256Digest
    /// Where its pushes go; `nil` when it takes none any more.
    public let target: Sealed<PushTarget>?

    public init(person: PersonID, browser: SHA256Digest, target: Sealed<PushTarget>?) {
        self.person = person
        self.browser = browser
        self.target = target
    }

    public var links: [SubjectLink] { [.owner(.person(person))] }
}

/// A browser's push subscription: where to, and the keys that encrypt for it (RFC 8291), in base64url.
public struct PushTarget: Codable, Hashable, Sendable {
    public let endpoint: String
    public let p256dh: String
    public let auth: String

    public init(endpoint: String, p256dh: String, auth: String) {
        self.endpoint = endpoint
        self.p256dh = p256dh
        self.auth = auth
    }
}
