// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import Projections
import ProjectionsTesting

/// The right writer with one thing wrong about how it takes pages.
protocol AlmostRightWriter: PageWriter {
    var right: ProjectionWriter { get }
    init(_ right: ProjectionWriter)
}

extension AlmostRightWriter {
    init(_ projector: any Projector, at file: URL, keys: any PersonKeys) throws {
        self.init(try ProjectionWriter(projector, at: file, keys: keys))
    }

    func next() throws -> LogPosition { right.next() }
    func digest() throws -> SHA256Digest { try right.digest() }
    func close() throws { try right.close() }
}

extension EventPage {
    /// The same place in the log with other events in it.
    func with(_ events: [RecordedEvent]) -> EventPage {
        EventPage(first: first, count: count, events: events, leaf: leaf)
    }
}

extension RecordedEvent {
    /// The same event as though it had another place in the log.
    func moved(to position: LogPosition) -> RecordedEvent {
        let moved = Envelope(
            id: envelope.id,
            subject: envelope.subject,
            kind: envelope.kind,
            position: position,
            revision: envelope.revision,
            time: envelope.time,
            actor: envelope.actor,
            command: envelope.command,
            source: envelope.source
        )
        return RecordedEvent(envelope: moved, fact: fact)
    }
}
