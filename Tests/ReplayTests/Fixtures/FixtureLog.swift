// SPDX-License-Identifier: Apache-2.0
import Foundation
import Replay
import TestSupport

/// A file under fixtures/logs: how the healthy ledger beside it is damaged, and what `Verify` must say then.
struct FixtureLog: Codable {
    /// What happened to it.
    let about: String
    /// What differs from the healthy ledger; nothing in the healthy one itself.
    let change: Change?
    let expected: Verdict

    /// One file that is another.
    struct Change: Codable {
        let file: String
        /// Only so many bytes of it are left.
        var bytesLeft: Int?
        /// From this byte on it says something else.
        var at: Int?
        var was: String?
        var becomes: String?
    }

    /// What must be said, neither more nor less.
    struct Verdict: Codable, Equatable {
        let verdict: String
        /// How many entries were read.
        let size: UInt64
        /// How many of them a checkpoint proves.
        let proved: UInt64?
        /// What is damaged or repairable, in the order in which it is said.
        let findings: [Place]

        /// Where something is wrong.
        struct Place: Codable, Equatable {
            let severity: String
            let place: String
            let position: UInt64?
        }

        init(_ report: VerifyReport) {
            verdict = report.verdict.rawValue
            size = report.size
            proved = report.provedSize
            findings = report.findings.filter { $0.severity != .note }.map {
                Place(severity: $0.severity.rawValue, place: $0.place, position: $0.position)
            }
        }
    }

    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "fixtures/logs")
    static let healthy = folder.appending(path: "healthy")

    static func read(_ name: String) throws -> FixtureLog {
        let file = folder.appending(path: "\(name).json")
        return try JSONDecoder().decode(FixtureLog.self, from: Data(contentsOf: file))
    }

    /// Verifies a copy of the healthy ledger with the change made to it.
    static func verify(with change: Change?) async throws -> VerifyReport {
        let copy = try TemporaryFolder()
        let ledger = copy.url.appending(path: "ledger")
        try FileManager.default.copyItem(at: healthy, to: ledger)
        try change?.make(in: ledger)
        var options = try AuditedLedger.options
        options.silence = .seconds(20)
        return try await Verify.ledger(at: ledger, options: options)
    }
}

extension FixtureLog.Change {
    /// Makes it.
    func make(in ledger: URL) throws {
        let path = ledger.appending(path: file)
        var bytes = try Data(contentsOf: path)
        if let bytesLeft { bytes = bytes.prefix(bytesLeft) }
        if let at, let was, let becomes {
            let place = at..<at + was.utf8.count
            guard place.upperBound <= bytes.count, Array(bytes[place]) == Array(was.utf8) else {
                throw Misfit(change: self)
            }
            bytes.replaceSubrange(place, with: Array(becomes.utf8))
        }
        try bytes.write(to: path)
    }

    /// The healthy ledger is not the one that the change was made for.
    struct Misfit: Error {
        let change: FixtureLog.Change
    }
}
