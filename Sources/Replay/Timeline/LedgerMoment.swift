// SPDX-License-Identifier: Apache-2.0
public import Events
import Foundation

/// A place in the history of a ledger, as people name it.
public enum LedgerMoment: Sendable, Hashable {
    /// With everything up to this position.
    case position(LogPosition)
    /// With everything recorded at or before this time.
    case time(Timestamp)

    /// Reads a position or an RFC 3339 time; `nil` for anything else.
    public init?(_ text: String) {
        if let position = LogPosition(text) {
            self = .position(position)
        } else if let time = Timestamp(text) {
            self = .time(time)
        } else {
            return nil
        }
    }

    /// How many entries there were.
    ///
    /// - Throws: ``TimelineError`` for a position beyond the ledger or a time that is not yet; `EventLogError`.
    func size(in ledger: LedgerReader) throws -> UInt64 {
        switch self {
        case .position(let position):
            let size = try ledger.size()
            // The last one is one before the size.
            guard position.rawValue < size else {
                throw TimelineError.beyond(position, size: size)
            }
            return position.next.rawValue
        case .time(let time):
            let (later, isLast) = time.microseconds.addingReportingOverflow(1)
            guard !isLast else { throw TimelineError.notYet(time) }
            // A ledger from elsewhere may be of a clock that is ahead of this one.
            guard try ledger.position(at: time).rawValue < ledger.size() || Self.isOver(time) else {
                throw TimelineError.notYet(time)
            }
            return try ledger.position(at: Timestamp(microseconds: later)).rawValue
        }
    }

    private static func isOver(_ time: Timestamp) -> Bool {
        Double(time.microseconds) <= Date().timeIntervalSince1970 * 1_000_000
    }
}
