// SPDX-License-Identifier: Apache-2.0
/// Something that a check found, with its place and what to do about it.
public struct Finding: Codable, Hashable, Sendable {
    /// How bad it is.
    public enum Severity: String, Codable, Sendable, CaseIterable {
        /// The truth, or what proves it, is not what it was.
        case damage
        /// Something derived is wrong; it can be made again from the log.
        case repairable
        /// It is not here, and that is no damage: the log names it and nothing says that it ever was, or a gateway makes it
        /// anew; it counts as not looked at.
        case missing
        /// Good to know; does not change the verdict.
        case note
    }

    public let severity: Severity
    /// Where: `log position 17`, `media/2026/…webm`, `read/operator-desk-1.sqlite`.
    public let place: String
    /// The position in the log, where there is one.
    public let position: UInt64?
    /// What is the case.
    public let fact: String
    /// The way out.
    public let advice: String

    public init(
        _ severity: Severity,
        place: String,
        position: UInt64? = nil,
        _ fact: String,
        advice: String = ""
    ) {
        self.severity = severity
        self.place = place
        self.position = position
        self.fact = fact
        self.advice = advice
    }
}

/// Findings as they are made: the first of each check are kept, all are counted.
struct FindingList: Sendable {
    private(set) var kept: [Finding] = []
    private(set) var damageCount = 0
    private(set) var repairableCount = 0
    private(set) var missingCount = 0
    private(set) var noteCount = 0

    mutating func add(_ finding: Finding) {
        switch finding.severity {
        case .damage: damageCount += 1
        case .repairable: repairableCount += 1
        case .missing: missingCount += 1
        case .note: noteCount += 1
        }
        // Damage is never crowded out by what matters less.
        let room =
            finding.severity == .damage
            ? ReplayLimits.findingsMax : ReplayLimits.findingsPerCheckMax
        if kept.count < room { kept.append(finding) }
    }

    /// Takes over another list, also what it counted and did not keep.
    mutating func add(_ other: FindingList) {
        for finding in other.kept { add(finding) }
        damageCount += other.damageCount - other.kept.count { $0.severity == .damage }
        repairableCount += other.repairableCount - other.kept.count { $0.severity == .repairable }
        missingCount += other.missingCount - other.kept.count { $0.severity == .missing }
        noteCount += other.noteCount - other.kept.count { $0.severity == .note }
    }

    mutating func add(_ findings: some Sequence<Finding>) {
        for finding in findings { add(finding) }
    }
}
