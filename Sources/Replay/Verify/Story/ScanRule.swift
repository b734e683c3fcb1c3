// SPDX-License-Identifier: Apache-2.0
import Events

/// Whether a guard's scan counts, as it was decided: by the moment of the scan, against the last ones of the same guard at
/// the same point, by the interval in force.
struct ScanRule {
    /// What holds until the policy `check-in` says otherwise.
    private var interval = Duration.seconds(300)
    private var scans: [Place: [Timestamp]] = [:]

    /// So many scans of a guard at a point are remembered where it is decided.
    private static let scansRemembered = 32

    private struct Place: Hashable {
        let guardID: UserID
        let point: Subject
    }

    mutating func apply(_ policy: PolicyEnabled) {
        guard policy.policy == "check-in" else { return }
        interval = .seconds(policy.settings["intervalSeconds"] ?? 300)
    }

    /// Takes a scan that counted.
    ///
    /// - Returns: Whether it could.
    mutating func counts(_ scan: PatrolCheckedIn, _ envelope: Envelope) -> Bool {
        let place = Place(guardID: scan.guardID, point: envelope.subject)
        let claimed = scan.offline ? envelope.occurredAt : nil
        let moment = claimed ?? envelope.time
        let known = scans[place, default: []]
        scans[place] = (known + [moment]).suffix(Self.scansRemembered)
        // What a round waits for counts however often somebody was there before.
        guard scan.round == nil else { return true }
        return known.allSatisfy { other in
            // A scan at once was decided a little before it was recorded: what lies ahead of it was further away then.
            guard claimed != nil || other <= moment else { return true }
            return max(other, moment) - min(other, moment) >= interval
        }
    }
}
