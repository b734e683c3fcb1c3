// SPDX-License-Identifier: Apache-2.0
/// What a verification looked at and found.
public struct VerifyReport: Codable, Sendable {
    /// The answer.
    public enum Verdict: String, Codable, Sendable {
        case sound
        case damage
    }

    /// One thing that was checked.
    public struct Check: Codable, Sendable {
        /// `log`, `checkpoints`, `index`, `read models`, `media`, `blobs`.
        public let name: String
        /// What was counted, in words.
        public let summary: String
        public let seconds: Double
    }

    /// Somebody whose key was destroyed.
    public struct Erased: Codable, Sendable {
        public let person: String
        /// The position of the event that says so.
        public let position: UInt64
    }

    /// What was verified: a folder or a file.
    public var subject: String
    public var origin: String?
    /// How many entries were read.
    public var size: UInt64 = 0
    /// The root of the tree over them, in hexadecimal; `nil` if not all could be read.
    public var root: String?
    /// The size of the newest checkpoint that agrees with the log.
    public var provedSize: UInt64?
    public var checks: [Check] = []
    public var erased: [Erased] = []
    public var findings: [Finding] = []
    /// How much damage there is, also what is not spelt out.
    public var damageCount = 0
    public var repairableCount = 0

    init(subject: String) {
        self.subject = subject
    }

    /// Sound if nothing is damaged, be it repairable or not.
    public var verdict: Verdict { damageCount + repairableCount == 0 ? .sound : .damage }

    mutating func add(_ list: FindingList) {
        findings += list.kept
        damageCount += list.damageCount
        repairableCount += list.repairableCount
    }

    mutating func add(_ check: String, _ summary: String, since start: ContinuousClock.Instant) {
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        checks.append(Check(name: check, summary: summary, seconds: seconds))
    }
}
