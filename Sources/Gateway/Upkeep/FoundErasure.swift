// SPDX-License-Identifier: Apache-2.0
public import Events

/// An erasure as the log tells of it.
public struct FoundErasure: Sendable, Hashable, CustomStringConvertible {
    public let person: PersonID
    public let position: LogPosition

    public var description: String { "person \(person) at position \(position)" }
}
