// SPDX-License-Identifier: Apache-2.0
/// Which side of a session does something.
public enum Party: String, Codable, Hashable, Sendable, CaseIterable {
    case caller, `operator`, system
}
