// SPDX-License-Identifier: Apache-2.0
/// What an account may do (DESIGN §8).
public enum Role: String, Codable, Hashable, Sendable, CaseIterable {
    case caller, reporter, `guard`, rescuer, `operator`, supervisor, analyst, auditor
    case organisationAdmin = "org-admin"
    case admin, service
}
