// SPDX-License-Identifier: Apache-2.0
/// A moment in UTC, in whole microseconds since 1970, between the years 1 and 9999.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Microseconds since 1970-01-01T00:00:00Z.
    public let microseconds: Int64

    /// Whether an entry can say it: what is outside of the years 1 to 9999 has no text that anybody could read.
    var hasText: Bool { Self.withText.contains(microseconds) }

    private static let withText: ClosedRange<Int64> =
        -62_135_596_800_000_000...253_402_300_799_999_999

    /// Names the moment that many microseconds after 1970 began.
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }

    /// The moment a duration later, to the microsecond.
    public static func + (moment: Timestamp, duration: Duration) -> Timestamp {
        let (seconds, attoseconds) = duration.components
        return Timestamp(
            microseconds: moment.microseconds + seconds * 1_000_000 + attoseconds
                / 1_000_000_000_000
        )
    }

    /// The time that passed between two moments.
    public static func - (later: Timestamp, earlier: Timestamp) -> Duration {
        .microseconds(later.microseconds - earlier.microseconds)
    }
}

extension Timestamp: InstantProtocol {
    public func advanced(by duration: Duration) -> Timestamp { self + duration }
    public func duration(to other: Timestamp) -> Duration { other - self }
}
