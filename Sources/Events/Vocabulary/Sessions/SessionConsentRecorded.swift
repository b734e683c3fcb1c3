// SPDX-License-Identifier: Apache-2.0
/// The caller agreed to something, or did not.
public struct SessionConsentRecorded: EventPayload {
    public static let kind: Kind = "session.consent_recorded/1"

    public let scope: Scope
    public let decision: Decision
    /// Which wording was shown.
    public let textVersion: String

    public init(scope: Scope, decision: Decision, textVersion: String) {
        self.scope = scope
        self.decision = decision
        self.textVersion = textVersion
    }

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
