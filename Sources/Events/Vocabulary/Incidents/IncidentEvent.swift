// SPDX-License-Identifier: Apache-2.0
/// What can happen to an incident: it groups sessions about the same event.
public enum IncidentEvent: Hashable, Sendable {
    case opened(IncidentOpened)
    case sessionLinked(IncidentSessionLinked)
    case sessionUnlinked(IncidentSessionUnlinked)
    case merged(IncidentMerged)
    case unmerged(IncidentUnmerged)
    case addressSet(IncidentAddressSet)

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .opened(let payload): payload
        case .sessionLinked(let payload): payload
        case .sessionUnlinked(let payload): payload
        case .merged(let payload): payload
        case .unmerged(let payload): payload
        case .addressSet(let payload): payload
        }
    }
}
