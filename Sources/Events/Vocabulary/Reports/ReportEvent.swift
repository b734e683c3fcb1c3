// SPDX-License-Identifier: Apache-2.0
/// What can happen to a field report of a citizen.
public enum ReportEvent: Hashable, Sendable {
    case submitted(ReportSubmitted)
    case statusChanged(ReportStatusChanged)

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .submitted(let payload): payload
        case .statusChanged(let payload): payload
        }
    }
}
