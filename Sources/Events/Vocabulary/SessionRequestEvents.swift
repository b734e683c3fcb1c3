// SPDX-License-Identifier: Apache-2.0

/// The operator asked the caller for something.
public struct SessionRequestSent: EventPayload {
    public static let row = EventKind(
        "session.request_sent/1",
        SessionEvent.requestSent,
        audience: .conversation,
        timeline: true,
        summary: [.init("request", \.request), .init("ask", \.ask)]
    )

    public let request: RequestID
    public let ask: Ask
    /// When the request becomes stale.
    public let expiresAt: Timestamp?

    public init(request: RequestID, ask: Ask, expiresAt: Timestamp? = nil) {
        self.request = request
        self.ask = ask
        self.expiresAt = expiresAt
    }

    public var links: [SubjectLink] { [] }

    /// What is asked.
    public enum Ask: String, Codable, Hashable, Sendable, CaseIterable {
        case startVideo = "start_video"
        case stopVideo = "stop_video"
        case sendLocation = "send_location"
    }
}

/// The caller's page shows the request, told once.
public struct SessionRequestOpened: EventPayload {
    public static let row = EventKind(
        "session.request_opened/1",
        SessionEvent.requestOpened,
        audience: .conversation,
        timeline: true,
        summary: [.init("request", \.request)]
    )

    public let request: RequestID

    public init(request: RequestID) {
        self.request = request
    }

    public var links: [SubjectLink] { [] }
}

/// The caller answered, or the request became stale.
public struct SessionRequestAnswered: EventPayload {
    public static let row = EventKind(
        "session.request_answered/1",
        SessionEvent.requestAnswered,
        audience: .conversation,
        timeline: true,
        summary: [.init("request", \.request), .init("answer", \.answer)]
    )

    public let request: RequestID
    public let answer: Answer

    public init(request: RequestID, answer: Answer) {
        self.request = request
        self.answer = answer
    }

    public var links: [SubjectLink] { [] }

    /// How it ended.
    public enum Answer: String, Codable, Hashable, Sendable, CaseIterable {
        case accepted
        case declined
        case stale
    }
}

/// The caller agreed to something, or did not.
public struct SessionConsentRecorded: EventPayload {
    public static let row = EventKind(
        "session.consent_recorded/1",
        SessionEvent.consentRecorded,
        audience: .conversation,
        timeline: true,
        summary: [.init("scope", \.scope), .init("decision", \.decision)]
    )

    public let scope: Scope
    public let decision: Decision
    /// Which wording was shown.
    public let textVersion: String

    public init(scope: Scope, decision: Decision, textVersion: String) {
        self.scope = scope
        self.decision = decision
        self.textVersion = textVersion
    }

    public var links: [SubjectLink] { [] }

    /// What the consent covers.
    public enum Scope: String, Codable, Hashable, Sendable, CaseIterable {
        case video
        case location
        case upload
        case hoaxWarning = "hoax_warning"
        case emergencyIntent = "emergency_intent"
    }

    /// What the caller decided.
    public enum Decision: String, Codable, Hashable, Sendable, CaseIterable {
        case granted
        case refused
    }
}

/// A one-use link was made, by which a caller without the application joins (ruling 24).
///
/// The link and its code are secrets and stand nowhere in the ledger.
public struct SessionLinkIssued: EventPayload {
    public static let row = EventKind(
        "session.link_issued/1",
        SessionEvent.linkIssued,
        audience: .conversation,
        timeline: true,
        summary: [.init("link", \.link), .init("by", \.by), .init("expiresAt", \.expiresAt)]
    )

    public let link: LinkID
    public let by: UserID
    public let expiresAt: Timestamp

    public init(link: LinkID, by: UserID, expiresAt: Timestamp) {
        self.link = link
        self.by = by
        self.expiresAt = expiresAt
    }

    public var links: [SubjectLink] { [] }
}

/// Somebody who had the link and its code joined by it; the device was registered in the same append.
public struct SessionLinkOpened: EventPayload {
    public static let row = EventKind(
        "session.link_opened/1",
        SessionEvent.linkOpened,
        audience: .conversation,
        timeline: true,
        linksDigest: 0x7057_10B6,
        summary: [.init("link", \.link), .init("device", \.device)]
    )

    public let link: LinkID
    public let device: DeviceID

    public init(link: LinkID, device: DeviceID) {
        self.link = link
        self.device = device
    }

    public var links: [SubjectLink] { [.about(.device(device))] }
}
