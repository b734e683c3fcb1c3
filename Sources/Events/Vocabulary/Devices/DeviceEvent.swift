// SPDX-License-Identifier: Apache-2.0
/// What can happen to a caller's device.
public enum DeviceEvent: Hashable, Sendable {
    case codeIssued(DeviceCodeIssued)
    case registered(DeviceRegistered)
    case admitted(DeviceAdmitted)
    case revoked(DeviceRevoked)
    case pushSubscribed(PushSubscribed)
    case pushUnsubscribed(PushUnsubscribed)
    case pushExpired(PushExpired)

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .codeIssued(let payload): payload
        case .registered(let payload): payload
        case .admitted(let payload): payload
        case .revoked(let payload): payload
        case .pushSubscribed(let payload): payload
        case .pushUnsubscribed(let payload): payload
        case .pushExpired(let payload): payload
        }
    }
}
