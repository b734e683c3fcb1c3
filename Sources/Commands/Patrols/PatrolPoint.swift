// SPDX-License-Identifier: Apache-2.0
public import Events

/// A place on a guard's tour, and when each guard was there last.
public struct PatrolPoint: Fold {
    public let id: PatrolPointID
    /// Where it is now; `nil` before it was defined.
    public private(set) var definition: PatrolPointDefined?
    /// Whose it is; `nil` before it was defined.
    public private(set) var organisation: OrganisationID?
    /// When each code after the first one took its place, oldest first.
    public private(set) var renewals: [Timestamp] = []
    /// The last scans of each guard, as their own clocks told them if they were kept offline.
    public private(set) var scans: [UserID: [Timestamp]] = [:]

    /// Scans remembered for each guard: more than an offline device sends at once.
    static let scansPerGuard = 32

    public init(_ id: PatrolPointID) {
        self.id = id
    }

    public static func source(of id: PatrolPointID) -> FoldSource { .subject(.patrolPoint(id)) }

    /// Takes in an event of the point's subject.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .patrol(let fact) = event.fact else { return }
        switch fact {
        case .pointDefined(let defined):
            definition = defined
            organisation = organisation ?? event.envelope.organisation
        case .codeRenewed: renewals.append(event.envelope.time)
        case .checkedIn(let scan):
            let claimed = scan.offline ? event.envelope.occurredAt : nil
            let moment = claimed ?? event.envelope.time
            scans[scan.guardID, default: []].append(moment)
            scans[scan.guardID] = scans[scan.guardID]?.suffix(Self.scansPerGuard)
        default: break
        }
    }

    /// Which code hangs at the point now, from 1.
    public var codeNumber: Int { renewals.count + 1 }

    /// Which code hung there at a moment.
    func codeNumber(at moment: Timestamp) -> Int { renewals.count { $0 <= moment } + 1 }

    /// Whether a guard's scan at a moment repeats an accepted one.
    func isRepetition(by guardID: UserID, at moment: Timestamp, within window: Duration) -> Bool {
        scans[guardID, default: []].contains { known in
            max(known, moment) - min(known, moment) < window
        }
    }
}
