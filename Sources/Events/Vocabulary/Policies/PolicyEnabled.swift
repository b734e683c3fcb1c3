// SPDX-License-Identifier: Apache-2.0
/// A policy acts on events from here on.
public struct PolicyEnabled: EventPayload {
    public static let kind: Kind = "policy.enabled/1"

    public let policy: String
    /// Its numbers, such as `limitSeconds`.
    public let settings: [String: Int]

    public init(policy: String, settings: [String: Int]) {
        self.policy = policy
        self.settings = settings
    }
}
