// SPDX-License-Identifier: Apache-2.0
/// Legal holds: they block erasure.
public enum HoldEvent: Hashable, Sendable {
    case placed(HoldPlaced)
    case lifted(HoldLifted)

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .placed(let payload): payload
        case .lifted(let payload): payload
        }
    }
}
