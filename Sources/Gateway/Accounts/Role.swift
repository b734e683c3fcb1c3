// SPDX-License-Identifier: Apache-2.0
import Events

extension Role {
    /// Whether silence signs this role out: it sits before an open desk.
    var hasIdleLogout: Bool {
        switch self {
        case .operator, .supervisor: true
        case .caller, .reporter, .guard, .rescuer, .analyst, .auditor, .organisationAdmin, .admin,
            .service:
            false
        }
    }
}
