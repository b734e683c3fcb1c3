// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import EventsTesting

/// Commands, decided: load, fold, decide, encode, seal, append; no baseline, a rate to reach.
struct DecidedRow {
    let count: Int
    private let sessions = 512

    func run() async throws -> Row {
        let rate = try await withScratch { folder in
            let log = try EventLog.open(
                folder,
                configuration: LogConfiguration(
                    origin: "bench.example.org/main",
                    keys: FixedKeys()
                )
            )
            let handler = CommandHandler(log: log)
            let took = try await seconds {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<sessions {
                        group.addTask {
                            var chat = ChatOfOne(handler, seed: UInt64(number))
                            try await chat.send(count / sessions)
                        }
                    }
                    try await group.waitForAll()
                }
                await log.close()
            }
            return Double(count / sessions * sessions) / took
        }
        return Row(
            name: "messages: decide, encode, seal one field, append, 512 sessions at once",
            value: rate,
            unit: "commands/s",
            baseline: nil,
            ratio: nil,
            target: 80_000,
            higherIsBetter: true
        )
    }
}

/// A caller who chats with nobody.
private struct ChatOfOne {
    private let handler: CommandHandler
    private let time = Timestamp(microseconds: 1_700_000_000_000_000)
    private var chance: SeededGenerator

    init(_ handler: CommandHandler, seed: UInt64) {
        self.handler = handler
        chance = SeededGenerator(seed: seed)
    }

    mutating func send(_ messages: Int) async throws {
        let caller = PersonID(at: time, using: &chance)
        let actor = Actor.device(DeviceID(at: time, using: &chance))
        let chat = StartChat(caller: caller)
        let session = try await handler.handle(chat, context(actor)).outcome.session
        for number in 0..<messages {
            let message = SendMessage(
                "man having heart attack, valley road watford",
                in: session,
                from: .caller(caller),
                temporaryID: "temp\(number)",
                clientTimestamp: "437647234",
                channel: .webSocket
            )
            _ = try await handler.handle(message, context(actor))
        }
    }

    private mutating func context(_ actor: Actor) -> CommandContext {
        let id = RequestID(at: time, using: &chance)
        let stamp = CommandStamp(actor: actor, command: CommandID(unchecked: "\(id)"))
        return CommandContext(stamp, now: time, using: &chance)
    }
}
