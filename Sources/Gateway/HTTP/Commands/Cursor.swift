// SPDX-License-Identifier: Apache-2.0
import Events

/// A position that came from outside, in a query, a header or a frame: a place in the log as it is now, from the first event to
/// just behind the last.
///
/// The only way by which such a position reaches the log or a read model, so that none does that the log cannot have.
struct Cursor: Sendable, Hashable {
    /// The place that was named.
    let position: LogPosition
    private let size: UInt64

    /// Reads a position.
    ///
    /// - Parameters:
    ///   - text: Decimal digits.
    ///   - name: Of the parameter, header or member that has it.
    ///   - log: In which it is a place.
    /// - Throws: 400 for a text that is no position, or one beyond the log.
    init(_ text: String, _ name: String, in log: EventLog) throws(Problem) {
        guard let position = LogPosition(text) else {
            throw Problem(
                .malformedRequest,
                detail: "\(name) is no position: write the decimal digits that an answer had"
            )
        }
        try self.init(position, name, in: log)
    }

    /// Holds a position that was read already to the log.
    ///
    /// - Throws: 400 for one beyond the log.
    init(_ position: LogPosition, _ name: String, in log: EventLog) throws(Problem) {
        let size = log.size
        guard position.rawValue <= size else {
            throw Problem(
                .malformedRequest,
                detail:
                    "\(name) is beyond the log, which has \(size) events; load the state again and use a position that this ledger answered",
                facts: ["size": .string(String(size))]
            )
        }
        self.position = position
        self.size = size
    }

    /// Where to go on behind it; where the log ends, with what comes next.
    var following: LogPosition { LogPosition(min(position.next.rawValue, size)) }

    /// The last event that stands there or before; `nil` in an empty log.
    var last: LogPosition? { size.checkedPrevious.map { min($0, position) } }
}
