// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Foundation

/// Typed events: encoded, one field sealed, appended; no baseline, a rate to reach.
struct TypedRow {
    let count: Int
    private let writers = 512

    func run() async throws -> Row {
        let rate = try await withScratch { folder in
            let log = try EventLog.open(
                folder,
                configuration: LogConfiguration(
                    origin: "bench.example.org/main",
                    keys: FixedKeys()
                )
            )
            let took = try await seconds {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for writer in 0..<writers {
                        group.addTask {
                            try await send(count / writers, in: log, seed: UInt64(writer))
                        }
                    }
                    try await group.waitForAll()
                }
                await log.close()
            }
            return Double(count / writers * writers) / took
        }
        return Row(
            name: "typed events: encode, seal one field, append, 512 outstanding",
            value: rate,
            unit: "events/s",
            baseline: nil,
            ratio: nil,
            target: 80_000,
            higherIsBetter: true
        )
    }

    private func send(_ messages: Int, in log: EventLog, seed: UInt64) async throws {
        var chance = SeededGenerator(seed: seed)
        let time = Timestamp(microseconds: 1_700_000_000_000_000)
        let session = SessionID(at: time, using: &chance)
        let person = PersonID(at: time, using: &chance)
        let actor = Actor.device(DeviceID(at: time, using: &chance))
        for number in 0..<messages {
            let id = EventID(at: time, using: &chance)
            let message = ChatMessageSent(
                message: MessageID(at: time, using: &chance),
                temporaryID: "temp\(number)",
                from: .caller,
                text: .open("man having heart attack, valley road watford", of: person),
                clientTimestamp: "437647234",
                channel: .webSocket
            )
            try await log.append(
                [
                    SubjectWrite(
                        .session(session),
                        [Event(id: id, fact: .chat(.messageSent(message)))]
                    )
                ],
                command: CommandStamp(actor: actor, command: CommandID(unchecked: "\(id)"))
            )
        }
    }
}

/// One key for everybody: looking keys up is not what is measured.
struct FixedKeys: PersonKeys {
    private let key: PersonKey

    init() {
        var chance = SeededGenerator(seed: 1)
        key = PersonKey(using: &chance)
    }

    func key(of person: PersonID) -> PersonKey? { key }
}
