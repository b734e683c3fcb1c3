// SPDX-License-Identifier: Apache-2.0
public import Events
import Foundation
import Projections

extension ProjectorChecker {
    /// What building from these events costs, counted by SQLite: the same on every machine under any load.
    ///
    /// A build is linear if twice the events cost about twice as much.
    ///
    /// - Parameter events: In log order, from position 0.
    /// - Returns: The steps of SQLite's virtual machine in a bulk build.
    /// - Throws: What SQLite throws.
    public func steps(for events: [RecordedEvent]) throws -> Int {
        let file = try ProjectionFile(
            inMemory: projector,
            origin: EventScript.origin,
            keys: keys
        )
        for page in pages(events, sizes: [1_024]) { _ = try file.apply(page) }
        return try file.work().reduce(0) { $0 + $1.steps }
    }

    /// Looks at SQLite's plan of every statement that the events lead to, in each form that a file takes.
    func brokenLookup(_ events: [RecordedEvent]) throws -> ProjectorFault.Promise? {
        for mode in [ProjectionFile.Mode.serving, .building] {
            let scan = try inFolder { folder in
                let file = try ProjectionFile(
                    projector,
                    at: folder.appending(path: "plans.sqlite"),
                    mode: mode,
                    origin: EventScript.origin,
                    keys: keys
                )
                defer { _ = try? file.close() }
                return try firstScan(events, in: file)
            }
            if let scan { return scan }
        }
        // As-of views.
        let memory = try ProjectionFile(
            inMemory: projector,
            origin: EventScript.origin,
            keys: keys
        )
        return try firstScan(events, in: memory)
    }

    private func firstScan(
        _ events: [RecordedEvent],
        in file: ProjectionFile
    ) throws -> ProjectorFault.Promise? {
        for page in pages(events, sizes: [events.count]) { _ = try file.apply(page) }
        for work in try file.work() {
            let scans = work.scans(of: projector.tables, projector.searchTables)
            guard scans.isEmpty else {
                return .everyLookup(statement: work.sql, plan: scans.joined(separator: "; "))
            }
        }
        return nil
    }
}
