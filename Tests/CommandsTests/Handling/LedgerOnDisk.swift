// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import EventsTesting
import Foundation
import Synchronization
import TestSupport
import Testing

/// A real log in a folder of its own, with keys, a handler, and a clock moved by hand.
final class LedgerOnDisk: Sendable {
    let folder: TemporaryFolder
    private let keys: KeyStore
    private let signer: NoteSigner
    private let chance = Mutex(SeededGenerator(seed: 7))
    private let clock = Mutex(Timestamp(microseconds: 1_700_000_000_000_000))
    private let parts: Mutex<Parts>

    private struct Parts {
        let log: EventLog
        let handler: CommandHandler
    }

    init() throws {
        folder = try TemporaryFolder()
        keys = try KeyStore.open(at: folder.url.appending(path: "keys"), masterKey: .random())
        signer = try NoteSigner(name: "daybook.example.org/test")
        parts = Mutex(try Self.open(folder.url, keys, signer))
    }

    var log: EventLog { parts.withLock { $0.log } }
    var handler: CommandHandler { parts.withLock { $0.handler } }
    var now: Timestamp { clock.withLock { $0 } }

    func wait(_ duration: Duration) { clock.withLock { $0 = $0 + duration } }

    /// Closes the log and opens it again, with nothing folded.
    func reopen() async throws {
        await log.close()
        let opened = try Self.open(folder.url, keys, signer)
        parts.withLock { $0 = opened }
    }

    private static func open(
        _ folder: URL,
        _ keys: KeyStore,
        _ signer: NoteSigner
    ) throws -> Parts {
        let configuration = LogConfiguration(
            origin: "daybook.example.org/test",
            keys: keys,
            signer: signer,
            mapBytes: 1 << 26,
            freeBytesMin: 0
        )
        let log = try EventLog.open(folder, configuration: configuration)
        return Parts(log: log, handler: CommandHandler(log: log, foldsMax: 16))
    }

    func id<Named>() -> Identifier<Named> {
        let now = now
        return chance.withLock { Identifier(at: now, using: &$0) }
    }

    /// A person with a key.
    func person() throws -> PersonID {
        let person: PersonID = id()
        try keys.create(person)
        return person
    }

    /// Everything that comes with a command.
    func context(
        _ actor: Actor = Actor(unchecked: "operator/1"),
        command: String? = nil,
        seen: SeenRevision? = nil
    ) -> CommandContext {
        let fresh: RequestID = id()
        let stamp = CommandStamp(
            actor: actor,
            command: CommandID(unchecked: command ?? "\(fresh)")
        )
        let now = now
        return chance.withLock { CommandContext(stamp, now: now, seen: seen, using: &$0) }
    }

    @discardableResult
    func run<C: Command>(_ command: C, _ context: CommandContext? = nil) async throws
        -> Answer<C.Outcome>
    {
        try await handler.handle(command, context ?? self.context())
    }

    /// Checks the order of everything and ends.
    func close() async throws {
        var next: [Subject: UInt64] = [:]
        var position: UInt64 = 0
        while position < log.size {
            let page = try log.entries(from: LogPosition(position))
            for entry in page {
                #expect(entry.envelope.position.rawValue == position)
                let subject = entry.envelope.subject
                #expect(entry.envelope.revision.rawValue == next[subject, default: 0])
                next[subject, default: 0] += 1
                position += 1
            }
        }
        await log.close()
    }
}
