// SPDX-License-Identifier: Apache-2.0
/// What can happen to a session: one caller's contact with the centre.
public enum SessionEvent: Hashable, Sendable {
    case created(SessionCreated)
    case expired(SessionExpired)
    case claimed(SessionClaimed)
    case released(SessionReleased)
    case resumed(SessionResumed)
    case activitySignalled(SessionActivitySignalled)
    case requestSent(SessionRequestSent)
    case requestOpened(SessionRequestOpened)
    case requestAnswered(SessionRequestAnswered)
    case linkIssued(SessionLinkIssued)
    case linkOpened(SessionLinkOpened)
    case consentRecorded(SessionConsentRecorded)
    case closed(SessionClosed)
    case sealed(SessionSealed)
    case unsealed(SessionUnsealed)

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .created(let payload): payload
        case .expired(let payload): payload
        case .claimed(let payload): payload
        case .released(let payload): payload
        case .resumed(let payload): payload
        case .activitySignalled(let payload): payload
        case .requestSent(let payload): payload
        case .requestOpened(let payload): payload
        case .requestAnswered(let payload): payload
        case .linkIssued(let payload): payload
        case .linkOpened(let payload): payload
        case .consentRecorded(let payload): payload
        case .closed(let payload): payload
        case .sealed(let payload): payload
        case .unsealed(let payload): payload
        }
    }
}
