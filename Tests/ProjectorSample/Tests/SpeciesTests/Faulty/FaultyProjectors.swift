// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Projections
import Species
import Synchronization

/// Leaves out an event that it saw already, as though whoever builds anew had the old rows.
final class SkippingProjector: AlmostRightProjector {
    private let seen = Mutex<Set<LogPosition>>([])

    func apply(_ event: RecordedEvent, to rows: RowWriter) {
        guard seen.withLock({ $0.insert(event.envelope.position).inserted }) else { return }
        right.apply(event, to: rows)
    }
}

/// Writes down when it ran.
struct ClockReadingProjector: AlmostRightProjector {
    func apply(_ event: RecordedEvent, to rows: RowWriter) {
        let microseconds = Int64(Date().timeIntervalSince1970 * 1_000_000)
        SpeciesProjector.count("any", at: Timestamp(microseconds: microseconds), in: rows)
    }
}

/// Keeps a running number in memory, where a restart loses it.
final class RememberingProjector: AlmostRightProjector {
    private let number = Mutex(0)

    func apply(_ event: RecordedEvent, to rows: RowWriter) {
        let next = number.withLock { number in
            number += 1
            return number
        }
        SpeciesProjector.count("species \(next)", at: event.envelope.time, in: rows)
    }
}

/// Holds events back until it has three, to write them together: what the rows hold depends on where a batch ended.
final class HoardingProjector: AlmostRightProjector {
    private let held = Mutex<[RecordedEvent]>([])

    func apply(_ event: RecordedEvent, to rows: RowWriter) {
        let ready = held.withLock { held -> [RecordedEvent] in
            held.append(event)
            guard held.count == 3 else { return [] }
            defer { held = [] }
            return held
        }
        for event in ready { right.apply(event, to: rows) }
    }
}
