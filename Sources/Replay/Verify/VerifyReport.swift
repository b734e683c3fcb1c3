// SPDX-License-Identifier: Apache-2.0
/// What a verification looked at and found.
public struct VerifyReport: Codable, Sendable {
    /// The answer (ruling 42).
    public enum Verdict: String, Codable, Sendable {
        /// Everything that the ledger names was looked at and proved by a verified checkpoint.
        case sound
        /// Nothing speaks against it; ``VerifyReport/notLookedAt`` says what was not looked at.
        case soundAsFarAsLookedAt = "sound as far as looked at"
        /// Nothing speaks against it, and no signature that was checked covers any of it.
        case unproved
        /// Something is not what it was.
        case damage

        /// Whether nothing was found that speaks against a proved ledger.
        public var isSound: Bool { self == .sound || self == .soundAsFarAsLookedAt }
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

    /// The key that signatures were checked with.
    public struct Key: Codable, Sendable {
        /// Name and id, as signature lines spell them.
        public let id: String
        public let vkey: String
        /// Who says that it is the ledger's: `--vkey`, `origin.key` or `daybook.json`.
        public let source: String
    }

    /// What was verified: a folder or a file.
    public var subject: String
    public var origin: String?
    /// How many entries were read.
    public var size: UInt64 = 0
    /// The root of the tree over them, in hexadecimal; `nil` if not all could be read.
    public var root: String?
    /// The key that was believed; without one nothing is proved.
    public var key: Key?
    /// The size of the newest checkpoint that the key signed and that agrees with the log.
    public var provedSize: UInt64?
    /// That checkpoint, to be kept elsewhere.
    public var checkpoint: String?
    /// Up to where the master key vouches for the log: to its end, or `nil` if that was not asked or is not so.
    public var sealedSize: UInt64?
    /// How many entries the key found when it began to sign.
    public var begun: UInt64 = 0
    public var checks: [Check] = []
    public var erased: [Erased] = []
    public var findings: [Finding] = []
    /// What a whole look would have taken in and this one did not.
    public var notLookedAt: [String] = []
    /// How much damage there is, also what is not spelt out.
    public var damageCount = 0
    public var repairableCount = 0
    /// The size of the smallest checkpoint whose signature holds and whose root the log's is not.
    var contradictedSize: UInt64?
    /// Whether something that the log names is there and could not be opened: whoever may change it may do that, too.
    var isKeptOut = false
    /// Whether entries were read, which want to be proved; a look at read models alone proves nothing.
    var isOfLog = false
    /// Whether a gateway left something beside the log: then even an empty one wants to be proved.
    var hasTraces = false

    /// How many read models were compared with the log.
    var readModelsCompared = 0

    init(subject: String) {
        self.subject = subject
    }

    /// The answer; what is derived and wrong counts as damage, too.
    public var verdict: Verdict {
        guard damageCount + repairableCount == 0 else { return .damage }
        let wantsProof = isOfLog && (size > 0 || hasTraces)
        guard !isKeptOut, !wantsProof || provedSize != nil else { return .unproved }
        return notLookedAt.isEmpty ? .sound : .soundAsFarAsLookedAt
    }

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
