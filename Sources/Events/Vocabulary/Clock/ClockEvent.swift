// SPDX-License-Identifier: Apache-2.0
/// What happened to the server's clock.
public enum ClockEvent: Hashable, Sendable {
    case stepped(ClockStepped)
    case confirmed(ClockConfirmed)

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .stepped(let payload): payload
        case .confirmed(let payload): payload
        }
    }
}
