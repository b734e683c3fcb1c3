// SPDX-License-Identifier: Apache-2.0
/// What can happen to an alert for one contact.
public enum AlertEvent: Hashable, Sendable {
    case queued(AlertQueued)
    case deliveryAttempted(AlertDeliveryAttempted)
    case sent(AlertSent)
    case failed(AlertFailed)

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .queued(let payload): payload
        case .deliveryAttempted(let payload): payload
        case .sent(let payload): payload
        case .failed(let payload): payload
        }
    }
}
