// SPDX-License-Identifier: Apache-2.0
/// What can happen to a caller's device.
public enum DeviceEvent: Hashable, Sendable {
    case registered(DeviceRegistered)
    case revoked(DeviceRevoked)
    case pushSubscribed(PushSubscribed)
    case pushUnsubscribed(PushUnsubscribed)
    case pushExpired(PushExpired)

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .registered(let payload): payload
        case .revoked(let payload): payload
        case .pushSubscribed(let payload): payload
        case .pushUnsubscribed(let payload): payload
        case .pushExpired(let payload): payload
        }
    }
}
