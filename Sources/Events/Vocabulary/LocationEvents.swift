// SPDX-License-Identifier: Apache-2.0

/// What is known about where the caller of a session is.
public enum LocationEvent: EventFamily {
    case reported(LocationReported)
    case unavailable(LocationUnavailable)

    public static let kinds: [any EventPayload.Type] = [
        LocationReported.self, LocationUnavailable.self,
    ]

    public var fact: Fact { .location(self) }

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .reported(let payload): payload
        case .unavailable(let payload): payload
        }
    }
}

/// The caller's device told a place.
public struct LocationReported: EventPayload {
    public static let row = EventKind(
        "location.reported/1",
        LocationEvent.reported,
        audience: .conversation,
        timeline: true,
        summary: [.init("fix", \.fix), .init("method", \.method), .init("request", \.request)]
    )

    public let person: PersonID
    public let fix: Sealed<Fix>
    /// How the device found it: `gps`, `network`, `manual` and the like.
    public let method: String
    /// The request it answers.
    public let request: RequestID?

    public init(person: PersonID, fix: Sealed<Fix>, method: String, request: RequestID? = nil) {
        self.person = person
        self.fix = fix
        self.method = method
        self.request = request
    }

    public var links: [SubjectLink] { [] }
}

/// The caller's device could not tell its place.
public struct LocationUnavailable: EventPayload {
    public static let row = EventKind(
        "location.unavailable/1",
        LocationEvent.unavailable,
        audience: .conversation,
        timeline: true,
        summary: [.init("reason", \.reason), .init("request", \.request)]
    )

    public let reason: Reason
    public let request: RequestID?

    public init(reason: Reason, request: RequestID? = nil) {
        self.reason = reason
        self.request = request
    }

    public var links: [SubjectLink] { [] }

    /// Why.
    public enum Reason: String, Codable, Hashable, Sendable, CaseIterable {
        case denied
        case timeout
        case stale
        /// A place came that could not be read.
        case unreadable
    }
}
