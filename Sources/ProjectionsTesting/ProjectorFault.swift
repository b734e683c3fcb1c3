// SPDX-License-Identifier: Apache-2.0
public import Events
public import Projections

/// A promise that a projector, or what writes its file, did not keep; with the shortest stream found that shows it.
public struct ProjectorFault: Error, CustomStringConvertible, Sendable {
    public let projector: ProjectorIdentity
    public let broken: Promise
    /// The events with which it shows.
    public let events: [RecordedEvent]

    /// What was not kept.
    public enum Promise: Hashable, Sendable, CustomStringConvertible {
        /// The same events gave other rows the second time.
        case repeatable
        /// Pages of another size gave other rows.
        case anyPageSize(Int)
        /// Stopping before this event and going on gave other rows.
        case anyRestart(before: Int)
        /// A crash while this event was being applied, and going on, gave other rows.
        case anyCrash(during: Int)
        /// Pages that came once more changed the rows.
        case once
        /// A statement reads a whole table for each event; with its text and SQLite's plan of it.
        case everyLookup(statement: String, plan: String)
        /// The rows after going on with all keys differ from the rows of a plain pass in order.
        case everyEvent

        public var description: String {
            switch self {
            case .repeatable:
                "the same events give other rows each time; something outside the event is read"
            case .anyPageSize(let size):
                "pages of \(size) events give other rows than one page"
            case .anyRestart(let number):
                "a restart before event \(number) of the stream gives other rows"
            case .anyCrash(let number):
                "a crash during event \(number) of the stream gives other rows"
            case .once: "events that come a second time change the rows"
            case .everyLookup(let statement, let plan):
                "a statement reads a whole table for each event (\(plan)): \(statement); name what it looks up in the table's lookups"
            case .everyEvent: "the rows are not those of each event applied once, in order"
            }
        }
    }

    public var description: String {
        let stream = events.map {
            "  \($0.envelope.position) \($0.envelope.subject) \($0.fact.kind)"
        }
        return "\(projector): \(broken); shown by\n" + stream.joined(separator: "\n")
    }
}
