// SPDX-License-Identifier: Apache-2.0
/// What can happen to a person's data.
public enum PersonEvent: Hashable, Sendable {
    case erased(PersonErased)

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .erased(let payload): payload
        }
    }
}
