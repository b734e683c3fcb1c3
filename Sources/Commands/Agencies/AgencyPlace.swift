// SPDX-License-Identifier: Apache-2.0
public import Events

/// Where an agency's team is, as a member said last.
public struct AgencyPlace: Fold {
    public let id: AgencyID
    /// `nil` before a member shared a place, and after that member stopped.
    public private(set) var shared: AgencyPlaceShared?
    public private(set) var sharedAt: Timestamp?

    public init(_ id: AgencyID) {
        self.id = id
    }

    public static func source(of id: AgencyID) -> FoldSource { .subject(.agencyPlace(id)) }

    /// For how long a place counts.
    public static let lifetime = Duration.seconds(30 * 60)

    /// Takes in an event of the place's subject.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .agency(.placeShared(let fact)) = event.fact else { return }
        shared = fact.fix == nil ? nil : fact
        sharedAt = event.envelope.time
    }

    /// The place that counts at a moment, if the member who shared it is still on duty and of the agency: ask that, too.
    public func current(at now: Timestamp) -> AgencyPlaceShared? {
        guard let sharedAt, now < sharedAt + Self.lifetime else { return nil }
        return shared
    }
}

/// A member on duty shares where the agency's team is, or stops sharing it.
public struct ShareAgencyPlace: Command {
    public let agency: AgencyID
    public let by: UserID
    public let person: PersonID
    /// `nil` stops it.
    public let fix: Fix?

    public init(_ fix: Fix?, of agency: AgencyID, by user: UserID, person: PersonID) {
        (self.fix, self.agency, self.by, self.person) = (fix, agency, user, person)
    }

    public typealias Refusal = AgencyRefusal

    public var subject: Subject { .agencyPlace(agency) }

    /// What the decision goes by.
    public struct State {
        let place: AgencyPlace
        let agency: Agency
        let reach: Reach
    }

    public func read(_ ledger: inout LedgerView) throws -> State {
        State(
            place: try ledger.read(AgencyPlace.self, agency),
            agency: try ledger.glance(Agency.self, agency),
            reach: try ledger.glance(Reach.self, by)
        )
    }

    public func decide(
        _ state: State,
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard state.agency.members.contains(by) else { throw .notAMember(by) }
        if let fix {
            try InputFault.check(fix, else: Refusal.unacceptable)
            let oldest = context.now + (.zero - AgencyPlace.lifetime)
            try InputFault.check(
                fix.measuredAt.map { $0 > oldest } ?? true,
                "measuredAt",
                fix.measuredAt.map { "\($0)" } ?? "",
                allowed: "a place measured within the last half hour",
                else: Refusal.unacceptable
            )
            guard !state.reach.isOffDuty(at: context.now) else { throw .offDuty(by) }
        } else if state.place.shared == nil {
            return .already(())
        }
        let shared = AgencyPlaceShared(
            by: by,
            person: person,
            fix: fix.map { .open($0, of: person) }
        )
        return .record([.agencyPlace(agency, .placeShared(shared))])
    }
}
