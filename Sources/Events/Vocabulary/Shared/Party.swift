// SPDX-License-Identifier: Apache-2.0

/// Which side of a session does something.
public enum Party: String, Codable, Hashable, Sendable, CaseIterable {
    case caller, `operator`, system
}

/// What an account may do.
public enum Role: String, Codable, Hashable, Sendable, CaseIterable {
    case caller, reporter, `guard`, rescuer, `operator`, supervisor, analyst, auditor
    case organisationAdmin = "org-admin"
    case admin, service
}
