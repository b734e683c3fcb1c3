// SPDX-License-Identifier: Apache-2.0

/// What can happen to a policy.
public enum PolicyEvent: EventFamily {
    case enabled(PolicyEnabled)

    public static let kinds: [any EventPayload.Type] = [
        PolicyEnabled.self
    ]

    public var fact: Fact { .policy(self) }

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .enabled(let payload): payload
        }
    }
}

/// A policy acts on events from here on.
public struct PolicyEnabled: EventPayload {
    public static let row = EventKind(
        "policy.enabled/1",
        PolicyEvent.enabled,
        audience: .desk
    )

    public let policy: String
    /// Its numbers, such as `limitSeconds`.
    public let settings: [String: Int]

    public init(policy: String, settings: [String: Int]) {
        self.policy = policy
        self.settings = settings
    }

    public var links: [SubjectLink] { [] }
}
