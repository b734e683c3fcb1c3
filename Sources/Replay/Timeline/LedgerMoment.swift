// SPDX-License-Identifier: Apache-2.0
public import Events

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
    func size(in ledger: LedgerReader) throws(EventLogError) -> UInt64 {
        switch self {
        case .position(let position): return min(position.rawValue + 1, try ledger.size())
        case .time(let time):
            let later = Timestamp(microseconds: time.microseconds + 1)
            return try ledger.position(at: later).rawValue
        }
    }
}
