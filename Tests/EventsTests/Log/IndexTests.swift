// SPDX-License-Identifier: Apache-2.0
import Events
import EventsTesting
import Foundation
import TestSupport
import Testing

@Suite struct `The index` {
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
