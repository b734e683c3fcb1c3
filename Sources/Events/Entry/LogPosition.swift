// SPDX-License-Identifier: Apache-2.0

/// A place in the whole log: gapless from 0, and the index of the event's Merkle leaf.
public struct LogPosition: Hashable, Comparable, Sendable {
    /// The number itself.
    public let rawValue: UInt64

    /// Names the place with that number.
    public init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// The place behind this one; behind the last that a number can name there is none.
    public var next: LogPosition { LogPosition(rawValue == .max ? .max : rawValue + 1) }

    public static func < (left: LogPosition, right: LogPosition) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension LogPosition: DecimalText {}

/// A place within one subject: gapless from 0.
public struct Revision: Hashable, Comparable, Sendable {
    /// The number itself.
    public let rawValue: UInt64

    /// Names the place with that number.
    public init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// The place behind this one; behind the last that a number can name there is none.
    public var next: Revision { Revision(rawValue == .max ? .max : rawValue + 1) }

    public static func < (left: Revision, right: Revision) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension Revision: DecimalText {}
