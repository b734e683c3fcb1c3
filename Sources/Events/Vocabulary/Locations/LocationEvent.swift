// SPDX-License-Identifier: Apache-2.0
/// What is known about where the caller of a session is.
public enum LocationEvent: Hashable, Sendable {
    case reported(LocationReported)
    case unavailable(LocationUnavailable)

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .reported(let payload): payload
        case .unavailable(let payload): payload
        }
    }
}
