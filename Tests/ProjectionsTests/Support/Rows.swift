// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import ProjectionsTesting

@testable import Projections

/// Tables in memory that hold a stream of events, for trying queries on.
func rows(
    of projector: any Projector,
    _ events: [RecordedEvent],
    keys: any PersonKeys = NoKeys()
) async throws -> ReadDatabase {
    let file = try ProjectionFile(inMemory: projector, origin: EventScript.origin, keys: keys)
    if let page = onePage(events) { _ = try file.apply(page) }
    try await file.finishBuilding()
    return ReadDatabase(projector.identity, serving: file.connections)
}

/// One page that holds all of a stream from position 0.
func onePage(_ events: [RecordedEvent]) -> EventPage? {
    guard let last = events.last else { return nil }
    return EventPage(
        first: LogPosition(0),
        count: Int(last.envelope.position.rawValue) + 1,
        events: events,
        leaf: SHA256Digest(bytes: Array(repeating: 7, count: 32))
    )
}
