// SPDX-License-Identifier: Apache-2.0
import EventsTesting
import Foundation
import TestSupport
import Testing

@testable import Events

@Suite(.tags(.promise2)) struct `The index` {
    let folder: TemporaryFolder
    let configuration: LogConfiguration

    init() throws {
        folder = try TemporaryFolder()
        configuration = LogConfiguration(
            origin: "daybook.example.org/test",
            keys: NoKeys(),
            signer: try NoteSigner(
                name: "daybook.example.org/test",
                seed: Array(repeating: 7, count: 32)
            )
        )
    }

    /// Answers of the log about subjects, kinds, categories and links.
    struct Answers: Equatable {
        var bySubject: [Subject: [UInt64]] = [:]
        var byKind: [UInt64] = []
        var byCategory: [UInt64] = []
        var linked: [UInt64] = []
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `answers as an array would, deleted or not`(seed: UInt64) async throws {
        var samples = SampleEvents(seed: seed)
        var chance = SeededGenerator(seed: seed)
        let user = try #require(UserID("7"))
        let subjects = (0..<7).map { _ in samples.subject() }
        var expected = Answers()
        var stamps: [(CommandStamp, Receipt)] = []
        var log = try EventLog.open(folder.url, configuration: configuration)
        for round in 0..<120 {
            let subject = subjects[Int.random(in: 0..<7, using: &chance)]
            let isClaim = Bool.random(using: &chance)
            let count = Int.random(in: 1...3, using: &chance)
            let events = (0..<count).map { _ in isClaim ? samples.claim(by: user) : samples.signal()
            }
            let stamp = samples.stamp()
            let receipt = try await log.append([SubjectWrite(subject, events)], command: stamp)
            stamps.append((stamp, receipt))
            let places = (0..<UInt64(count)).map { receipt.first.rawValue + $0 }
            expected.bySubject[subject, default: []] += places
            expected.byCategory += places
            if isClaim {
                expected.linked += places
                expected.byKind += places
            }
            if round == 60 {
                try await log.makeCheckpoint()
            }
            if round == 90 {
                await log.close()
                if seed.isMultiple(of: 2) {
                    try FileManager.default.removeItem(at: folder.url.appending(path: "index"))
                }
                log = try EventLog.open(folder.url, configuration: configuration)
            }
        }
        #expect(try answers(of: log, subjects, user) == expected)
        for (stamp, receipt) in stamps {
            let again = try await log.append(
                [SubjectWrite(subjects[0], [samples.signal()])],
                command: stamp
            )
            #expect(again.repeated && again.first == receipt.first && again.count == receipt.count)
        }
        await log.close()
    }

    private var place: URL { folder.url.appending(path: "index") }
    private var beside: URL { folder.url.appending(path: "index.new") }
    private var file: URL { place.appending(path: "data.mdb") }

    /// A ledger with so many events, closed.
    private func ledger(_ count: Int, seed: UInt64 = 1) async throws {
        var samples = SampleEvents(seed: seed)
        let log = try EventLog.open(folder.url, configuration: configuration)
        for _ in 0..<count {
            try await log.append(
                [SubjectWrite(samples.subject(), [samples.signal()])],
                command: samples.stamp()
            )
        }
        await log.close()
    }

    /// Opens it and asks the index how far it is.
    private func reopened() async throws -> IndexProgress {
        let log = try EventLog.open(folder.url, configuration: configuration)
        let progress = try log.index.progress()
        await log.close()
        #expect(!FileManager.default.fileExists(atPath: beside.path))
        return progress
    }

    enum Foreign: CaseIterable {
        case noDatabase, cutShort, ofOtherLinks, ofAnotherLog
    }

    @Test(arguments: Foreign.allCases)
    func `that is damaged or foreign is made again`(foreign: Foreign) async throws {
        try await ledger(40)
        switch foreign {
        case .noDatabase: try Data(repeating: 7, count: 20_000).write(to: file)
        case .cutShort: try Data(contentsOf: file).prefix(3 * 4_096).write(to: file)
        case .ofOtherLinks: try replace("session.claimed/1 ", by: "session.claimed/1 9")
        case .ofAnotherLog:
            let mine = try Data(contentsOf: file)
            for part in ["log", "index", "checkpoint"] {
                try FileManager.default.removeItem(at: folder.url.appending(path: part))
            }
            try await ledger(40, seed: 9)
            try mine.write(to: file)
        }
        let progress = try await reopened()
        #expect(progress.size == 40 && progress.format == LogIndex.format)
    }

    @Test func `that cannot be opened just now is left as it is`() async throws {
        try await ledger(40)
        let before = try Data(contentsOf: file)
        // liblmdb finds a folder where its lock file stands: no damage, and over as soon as somebody looks.
        let lock = place.appending(path: "lock.mdb")
        try FileManager.default.removeItem(at: lock)
        try FileManager.default.createDirectory(at: lock, withIntermediateDirectories: false)
        let refusal = #expect(throws: EventLogError.self) {
            try EventLog.open(folder.url, configuration: configuration)
        }
        guard case .cannotOpen(let path, let reason) = refusal else {
            Issue.record("expected a log that cannot be opened, got \(String(describing: refusal))")
            return
        }
        #expect(path == place.path && reason.contains("left as it is"))
        #expect(try Data(contentsOf: file) == before)
        try FileManager.default.removeItem(at: lock)
        #expect(try await reopened().size == 40)
    }

    @Test func `grows beside the old one, and on after a kill`() async throws {
        try await ledger(20)
        let early = try Data(contentsOf: file)
        try await ledger(20, seed: 2)
        // As a process leaves it that was killed while it made a new index in place of a damaged one.
        try FileManager.default.createDirectory(at: beside, withIntermediateDirectories: true)
        try early.write(to: beside.appending(path: "data.mdb"))
        try Data(repeating: 7, count: 20_000).write(to: file)
        #expect(try await reopened().size == 40)
        // One that is level already needs no other.
        try FileManager.default.createDirectory(at: beside, withIntermediateDirectories: true)
        #expect(try await reopened().size == 40)
    }

    /// Writes over a text and what stands behind it, wherever the file has it.
    private func replace(_ text: String, by other: String) throws {
        var bytes = try Data(contentsOf: file)
        var start = bytes.startIndex
        while let place = bytes[start...].firstRange(of: Data(text.utf8)) {
            let end = place.lowerBound + other.utf8.count
            bytes.replaceSubrange(place.lowerBound..<end, with: Data(other.utf8))
            start = end
        }
        #expect(start > bytes.startIndex)
        try bytes.write(to: file)
    }

    private func answers(of log: EventLog, _ subjects: [Subject], _ user: UserID) throws -> Answers
    {
        var answers = Answers()
        for subject in subjects {
            let entries = try log.entries(of: subject)
            if !entries.isEmpty {
                answers.bySubject[subject] = entries.map(\.envelope.position.rawValue)
            }
        }
        answers.byKind = try log.entries(of: SessionClaimed.kind).map(\.envelope.position.rawValue)
        answers.byCategory = try log.entries(category: "session").map(\.envelope.position.rawValue)
        answers.linked = try log.entries(linkedTo: .user(user)).map(\.envelope.position.rawValue)
        return answers
    }
}
