// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import GRDB
import ProjectionsTesting

@testable import Projections

/// What the faulty writers share: the real file, with pages that were tampered with.
protocol TamperingWriter: PageWriter {
    var file: ProjectionFile { get }
    init(_ file: ProjectionFile, keys: any PersonKeys)
}

extension TamperingWriter {
    init(_ projector: any Projector, at file: URL, keys: any PersonKeys) throws {
        let file = try ProjectionFile(
            projector, at: file, mode: .serving, origin: EventScript.origin, keys: keys)
        self.init(file, keys: keys)
    }

    func next() -> LogPosition { file.progress().next }
    func digest() throws -> SHA256Digest { try file.digest().digest }
    func close() throws { try file.close() }
}

extension EventPage {
    fileprivate func with(_ events: [RecordedEvent]) -> EventPage {
        EventPage(first: first, count: count, events: events, leaf: leaf)
    }
}

/// Leaves out the last event of a page that holds more than one.
struct SkippingWriter: TamperingWriter {
    let file: ProjectionFile

    init(_ file: ProjectionFile, keys: any PersonKeys) {
        self.file = file
    }

    func apply(_ page: EventPage) throws {
        _ = try file.apply(page.with(page.events.count > 1 ? page.events.dropLast() : page.events))
    }
}

/// Applies the first event of each page twice.
struct DoublingWriter: TamperingWriter {
    let file: ProjectionFile

    init(_ file: ProjectionFile, keys: any PersonKeys) {
        self.file = file
    }

    func apply(_ page: EventPage) throws {
        _ = try file.apply(page.with(page.events.prefix(1) + page.events))
    }
}

/// Applies whatever comes, also what the rows stand for already.
struct ForgetfulWriter: TamperingWriter {
    let file: ProjectionFile
    let keys: any PersonKeys

    init(_ file: ProjectionFile, keys: any PersonKeys) {
        self.file = file
        self.keys = keys
    }

    func apply(_ page: EventPage) throws {
        if page.next <= file.progress().next {
            try file.connections.write { database in
                let rows = RowWriter(database, keys: keys)
                for event in page.events where file.projector.kinds.contains(event.fact.kind) {
                    file.projector.apply(event, to: rows)
                }
            }
        }
        _ = try file.apply(page)
    }
}

/// Commits the progress first and the rows after it.
struct HastyWriter: TamperingWriter {
    let file: ProjectionFile
    let keys: any PersonKeys

    init(_ file: ProjectionFile, keys: any PersonKeys) {
        self.file = file
        self.keys = keys
    }

    func apply(_ page: EventPage) throws {
        guard page.next > file.progress().next else { return }
        _ = try file.apply(page.with([]))
        try file.connections.write { database in
            let rows = RowWriter(database, keys: keys)
            for event in page.events where file.projector.kinds.contains(event.fact.kind) {
                file.projector.apply(event, to: rows)
            }
        }
    }
}
