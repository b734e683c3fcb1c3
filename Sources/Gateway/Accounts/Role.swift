// SPDX-License-Identifier: Apache-2.0

/// What somebody is allowed to do, in one word; spelled so in the API and in the accounts.
public enum Role: String, Sendable, Hashable, Codable, CaseIterable {
    case caller
    case reporter
    case `guard`
    case rescuer
    case `operator`
    case supervisor
    case analyst
    /// Reads everything, writes nothing.
    case auditor
    case orgAdmin = "org-admin"
    case admin
    /// Another program.
    case service

    /// Whether silence signs this role out: it sits before an open desk.
    var hasIdleLogout: Bool {
        switch self {
        case .operator, .supervisor: true
        case .caller, .reporter, .guard, .rescuer, .analyst, .auditor, .orgAdmin, .admin, .service:
            false
        }
    }
}
