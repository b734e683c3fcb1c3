// SPDX-License-Identifier: Apache-2.0
import EventsTesting
import Foundation
import TestSupport
import Testing

@testable import Events

/// Whoever reads a log maps it, and pages that somebody wrote over may lead anywhere: every command ends with words.
@Suite(.tags(.promise5), .timeLimit(.minutes(10))) struct `A command whose ledger leads it astray` {
    /// How many pages each seed writes over; `make campaign PART=fuzz` writes over 50.
    static let pages =
        ProcessInfo.processInfo.environment["DAYBOOK_PAGES"].flatMap { Int($0) } ?? 2
    private static let pageBytes = 4_096

    @Test(arguments: UInt64(1)...4)
    func `by pages of random bytes, ends with its own exit code and with words`(
        seed: UInt64
    ) async throws {
        let ledger = try await AuditedLedger(events: 400, seed: seed)
        let incident = try #require(
            try ledger.entries().lazy.map { try Entry(parsing: $0).envelope.subject }
                .first { $0.category == "incident" }
        )
        let file = ledger.url.appending(path: "log/data.mdb")
        let sound = try Data(contentsOf: file)
        var chance = SeededGenerator(seed: seed)
        for round in 0..<Self.pages {
            // Once a single page, once most of them: the first is met by few, the second by everybody.
            let written = round.isMultiple(of: 2) ? 1 : sound.count / Self.pageBytes
            try Self.written(over: sound, times: written, &chance).write(to: file)
            for arguments in [
                ["timeline", String(incident.name)], ["trends"], ["export"],
                ["rebuild", "--check"], ["rebuild"], ["hold", "list"], ["doctor"], ["verify"],
            ] {
                let run = try AuditedLedger.run(
                    program: AuditedLedger.daybook,
                    arguments + ["--data", ledger.url.path]
                )
                let place = "seed \(seed), round \(round), \(arguments)"
                #expect(run.reason == .exit, "\(place): signal \(run.code)")
                #expect([0, 1, 2, 3].contains(run.code), "\(place): \(run.code)")
                #expect(run.code == 0 || !(run.errors.isEmpty && run.out.isEmpty), "\(place)")
            }
        }
    }

    /// Everything behind the two pages that say where the tables are, or some of it.
    private static func written(
        over sound: Data,
        times: Int,
        _ chance: inout SeededGenerator
    ) -> Data {
        var damaged = sound
        for _ in 0..<times {
            let page = Int.random(in: 2..<sound.count / pageBytes, using: &chance)
            for place in page * pageBytes..<(page + 1) * pageBytes {
                // The first ten bytes say which page it is; with them it is looked into.
                guard place % pageBytes >= 10 else { continue }
                damaged[place] = UInt8.random(in: 0...255, using: &chance)
            }
        }
        return damaged
    }

    @Test(arguments: [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE])
    func `says the signal, the ledger and the way out`(signal: Int32) async throws {
        let folder = try TemporaryFolder()
        let ended = try await Self.asking(of: folder.url) { kill($0, signal) }
        #expect(ended.reason == .exit && ended.code == 2, "\(ended)")
        #expect(ended.errors.hasPrefix("Error: clock of \(folder.url.path) was ended by signal"))
        #expect(ended.errors.contains("signal \(signal) "))
        #expect(ended.errors.contains("run daybook verify"))
    }

    // Foundation's Process starts its children with SIGTERM blocked.
    @Test(arguments: [SIGINT, SIGHUP, SIGQUIT])
    func `is ended by whoever ends it, as any program is`(signal: Int32) async throws {
        let folder = try TemporaryFolder()
        let ended = try await Self.asking(of: folder.url) { kill($0, signal) }
        #expect(ended.reason == .uncaughtSignal && ended.code == signal, "\(ended)")
        #expect(ended.errors.isEmpty)
    }

    /// Does something to a process that has named its ledger and waits for an answer.
    private static func asking(
        of folder: URL,
        _ end: (pid_t) -> Int32
    ) async throws -> FinishedProgram {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try AuditedLedger.daybook)
        process.arguments = ["clock", "confirm", "--data", folder.path]
        // Where it is set, the runtime stops a process that crashes and asks what to do.
        process.environment = ProcessInfo.processInfo.environment.filter {
            $0.key != "SWIFT_BACKTRACE"
        }
        let (answer, out, errors) = (Pipe(), Pipe(), Pipe())
        process.standardInput = answer
        process.standardOutput = out
        process.standardError = errors
        try process.run()
        var said = Data()
        while !String(decoding: said, as: UTF8.self).contains("Type yes") {
            let more = out.fileHandleForReading.availableData
            try #require(!more.isEmpty, "it ended by itself")
            said += more
        }
        #expect(end(process.processIdentifier) == 0)
        let complaints = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return FinishedProgram(
            code: process.terminationStatus,
            reason: process.terminationReason,
            out: [UInt8](said),
            errors: String(decoding: complaints, as: UTF8.self)
        )
    }
}
