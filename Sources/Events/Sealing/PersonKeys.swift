// SPDX-License-Identifier: Apache-2.0
/// Where the keys of people are found.
public protocol PersonKeys: Sendable {
    /// The key of a person; `nil` if it was destroyed, or is not known here.
    func key(of person: PersonID) -> PersonKey?
}

/// No keys at all: an auditor who checks a ledger without reading what is personal.
public struct NoKeys: PersonKeys {
    public init() {}

    public func key(of person: PersonID) -> PersonKey? { nil }
}

extension [PersonID: PersonKey]: PersonKeys {
    public func key(of person: PersonID) -> PersonKey? { self[person] }
}
