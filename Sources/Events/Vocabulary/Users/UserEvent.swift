// SPDX-License-Identifier: Apache-2.0
/// What can happen to an account.
public enum UserEvent: Hashable, Sendable {
    case created(UserCreated)
    case loggedIn(UserLoggedIn)
    case loggedOut(UserLoggedOut)
    case tokenIssued(UserTokenIssued)
    case tokenRevoked(UserTokenRevoked)
    case passwordChanged(UserPasswordChanged)
    case disabled(UserDisabled)
    case enabled(UserEnabled)
    case roleChanged(UserRoleChanged)

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .created(let payload): payload
        case .loggedIn(let payload): payload
        case .loggedOut(let payload): payload
        case .tokenIssued(let payload): payload
        case .tokenRevoked(let payload): payload
        case .passwordChanged(let payload): payload
        case .disabled(let payload): payload
        case .enabled(let payload): payload
        case .roleChanged(let payload): payload
        }
    }
}
