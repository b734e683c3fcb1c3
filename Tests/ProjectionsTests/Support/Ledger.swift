// SPDX-License-Identifier: Apache-2.0
import Events
import Foundation
import ProjectionsTesting
import TestSupport

@testable import Projections

/// A real log in a folder of its own, filled from a script.
final class Ledger: Sendable {
    let folder: TemporaryFolder
    let log: EventLog
    let keys: [PersonID: PersonKey]

    init(_ script: EventScript, keys: [PersonID: PersonKey]? = nil) async throws {
        folder = try TemporaryFolder()
        self.keys = keys ?? script.keys
        log = try EventLog.open(
            folder.url,
            configuration: LogConfiguration(origin: EventScript.origin, keys: self.keys)
        )
        try await append(script.events)
    }

    var read: URL { folder.url.appending(path: "read") }

    /// Appends what a script recorded, each event under its own command.
    func append(_ events: some Sequence<RecordedEvent>) async throws {
        for event in events {
            let place = event.envelope
            let stamp = CommandStamp(actor: place.actor, command: place.command)
            try await log.append(
                [
                    SubjectWrite(
                        place.subject,
                        [Event(id: place.id, fact: event.fact, occurredAt: place.occurredAt)]
                    )
                ],
                command: stamp
            )
        }
    }

    func runner(_ projectors: [any Projector] = allProjectors) -> ProjectionRunner {
        ProjectionRunner(
            folder: read,
            log: log,
            projectors: projectors,
            keys: keys,
            patience: .testDeadline
        )
    }

    var last: LogPosition { LogPosition(log.size - 1) }
}

extension ProjectionRunner {
    /// Runs while the body does its work.
    func running<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                do { try await self.run() } catch is CancellationError {}
                return nil
            }
            group.addTask { try await body() }
            while let result = try await group.next() {
                if let value = result {
                    group.cancelAll()
                    return value
                }
            }
            throw CancellationError()
        }
    }

    /// Waits until every model shows a position.
    func level(at position: LogPosition) async throws {
        for lane in lanes {
            try await wait(for: position, on: lane.projector.identity.name)
        }
    }
}
