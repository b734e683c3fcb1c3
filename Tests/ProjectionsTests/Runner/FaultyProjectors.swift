// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Projections
import Synchronization

/// Counts messages by side, rightly; the faulty ones differ from it in one thing each.
struct MessageCounter: Projector {
    let identity = ProjectorIdentity("message-counter", version: 1)
    let tables = [
        Table(
            "side",
            key: ["name"],
            columns: ["name TEXT NOT NULL", "messages INTEGER NOT NULL", "last_at INTEGER NOT NULL"]
        )
    ]
    let kinds: Set<Kind> = [ChatMessageSent.kind]

    func apply(_ event: RecordedEvent, to rows: RowWriter) {
        guard case .chat(.messageSent(let sent)) = event.fact else { return }
        count(sent.from.rawValue, at: event.envelope.time, in: rows)
    }

    func count(_ side: String, at time: Timestamp, in rows: RowWriter) {
        rows.run(
            """
            INSERT INTO side VALUES (?1, 1, ?2)
            ON CONFLICT (name) DO UPDATE SET messages = messages + 1, last_at = ?2
            """,
            side, time
        )
    }
}

/// Forgets an event after each restart.
final class SkippingCounter: Projector {
    private let counter = MessageCounter()
    private let isWarm = Mutex(false)
    var identity: ProjectorIdentity { counter.identity }
    var tables: [Table] { counter.tables }
    var kinds: Set<Kind> { counter.kinds }
    private let seen = Mutex<Set<LogPosition>>([])

    func apply(_ event: RecordedEvent, to rows: RowWriter) {
        // The second time that it sees an event it thinks that it has it.
        guard seen.withLock({ $0.insert(event.envelope.position).inserted }) else { return }
        counter.apply(event, to: rows)
    }
}

/// Writes down when it ran.
struct ClockReadingCounter: Projector {
    private let counter = MessageCounter()
    var identity: ProjectorIdentity { counter.identity }
    var tables: [Table] { counter.tables }
    var kinds: Set<Kind> { counter.kinds }

    func apply(_ event: RecordedEvent, to rows: RowWriter) {
        let microseconds = Int64(Date().timeIntervalSince1970 * 1_000_000)
        counter.count("all", at: Timestamp(microseconds: microseconds), in: rows)
    }
}

/// Keeps a running number in memory, where a restart loses it.
final class RememberingCounter: Projector {
    private let counter = MessageCounter()
    private let number = Mutex(0)
    var identity: ProjectorIdentity { counter.identity }
    var tables: [Table] { counter.tables }
    var kinds: Set<Kind> { counter.kinds }

    func apply(_ event: RecordedEvent, to rows: RowWriter) {
        let next = number.withLock { number in
            number += 1
            return number
        }
        counter.count("m\(next)", at: event.envelope.time, in: rows)
    }
}
