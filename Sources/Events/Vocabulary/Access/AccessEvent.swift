// SPDX-License-Identifier: Apache-2.0
/// Who looked at what, and who was turned away.
public enum AccessEvent: Hashable, Sendable {
    case read(AccessRead)
    case refused(AccessRefused)

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .read(let payload): payload
        case .refused(let payload): payload
        }
    }
}
