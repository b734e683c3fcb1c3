// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Foundation

/// Appends that are encoded beforehand: one event of about 500 bytes each, over a thousand streams.
struct EntrySupply {
    let ready: [PreparedAppend]

    init(count: Int, log: EventLog, seed: UInt64 = 1) throws {
        var chance = SeededGenerator(seed: seed)
        let time = Timestamp(microseconds: 1_700_000_000_000_000)
        let streams = (0..<1_000).map { _ in Subject.stream(StreamID(at: time, using: &chance)) }
        let actor = Actor.device(DeviceID(at: time, using: &chance))
        let digest = SHA256Digest(bytes: [UInt8](repeating: 7, count: 32))
        ready = try (0..<count).map { index in
            // Ten events a millisecond, as a busy centre makes them.
            let now = Timestamp(microseconds: time.microseconds + Int64(index) * 100)
            let id = EventID(at: now, using: &chance)
            let chunk = StreamChunkArchived(
                number: index,
                file: "2026/11/2026-11-21-13-11-123456789.webm",
                offset: index * 40_000,
                length: 40_000,
                sha256: digest,
                firstMilliseconds: index * 1_000,
                lastMilliseconds: index * 1_000 + 960,
                keyFrame: true,
                part: 0,
                through: index * 40_000
            )
            return try log.prepare(
                [
                    SubjectWrite(
                        streams[index % 1_000],
                        [Event(id: id, fact: .stream(.chunkArchived(chunk)))]
                    )
                ],
                command: CommandStamp(actor: actor, command: CommandID(unchecked: "\(id)"))
            )
        }
    }

    /// Appends all of it, so many at a time, and returns when the last is on disk.
    func append(to log: EventLog, writers: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<writers {
                group.addTask {
                    for index in stride(from: writer, to: ready.count, by: writers) {
                        try await log.append(ready[index])
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
