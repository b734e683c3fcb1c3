// SPDX-License-Identifier: Apache-2.0
/// What can happen to a policy.
public enum PolicyEvent: Hashable, Sendable {
    case enabled(PolicyEnabled)

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .enabled(let payload): payload
        }
    }
}
