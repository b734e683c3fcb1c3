// SPDX-License-Identifier: Apache-2.0
/// What can happen to an account.
public enum UserEvent: Hashable, Sendable {
    case created(UserCreated)
    case loggedIn(UserLoggedIn)
    case loggedOut(UserLoggedOut)

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .created(let payload): payload
        case .loggedIn(let payload): payload
        case .loggedOut(let payload): payload
        }
    }
}
