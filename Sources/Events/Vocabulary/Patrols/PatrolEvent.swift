// SPDX-License-Identifier: Apache-2.0
/// What can happen at a patrol point.
public enum PatrolEvent: Hashable, Sendable {
    case pointDefined(PatrolPointDefined)
    case checkedIn(PatrolCheckedIn)
    case checkInRefused(PatrolCheckInRefused)

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .pointDefined(let payload): payload
        case .checkedIn(let payload): payload
        case .checkInRefused(let payload): payload
        }
    }
}
