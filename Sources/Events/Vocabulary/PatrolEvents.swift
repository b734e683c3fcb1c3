// SPDX-License-Identifier: Apache-2.0

/// What can happen at a patrol point, on a tour of them, and to the guard who walks it.
public enum PatrolEvent: EventFamily {
    case pointDefined(PatrolPointDefined)
    case codeRenewed(PatrolCodeRenewed)
    case checkedIn(PatrolCheckedIn)
    case checkInRefused(PatrolCheckInRefused)
    case tourDefined(TourDefined)
    case tourNotBegun(TourNotBegun)
    case roundStarted(RoundStarted)
    case roundPointReached(RoundPointReached)
    case roundPointOverdue(RoundPointOverdue)
    case roundPointMissed(RoundPointMissed)
    case roundPointHandled(RoundPointHandled)
    case roundFinished(RoundFinished)
    case guardAlarmRaised(GuardAlarmRaised)
    case guardAlarmAnswered(GuardAlarmAnswered)

    public static let kinds: [any EventPayload.Type] = [
        PatrolPointDefined.self, PatrolCodeRenewed.self, PatrolCheckedIn.self,
        PatrolCheckInRefused.self, TourDefined.self, TourNotBegun.self, RoundStarted.self,
        RoundPointReached.self, RoundPointOverdue.self, RoundPointMissed.self,
        RoundPointHandled.self, RoundFinished.self, GuardAlarmRaised.self, GuardAlarmAnswered.self,
    ]

    public var fact: Fact { .patrol(self) }

    /// The payload inside the case.
    public var payload: any EventPayload {
        switch self {
        case .pointDefined(let payload): payload
        case .codeRenewed(let payload): payload
        case .checkedIn(let payload): payload
        case .checkInRefused(let payload): payload
        case .tourDefined(let payload): payload
        case .tourNotBegun(let payload): payload
        case .roundStarted(let payload): payload
        case .roundPointReached(let payload): payload
        case .roundPointOverdue(let payload): payload
        case .roundPointMissed(let payload): payload
        case .roundPointHandled(let payload): payload
        case .roundFinished(let payload): payload
        case .guardAlarmRaised(let payload): payload
        case .guardAlarmAnswered(let payload): payload
        }
    }
}

/// A scan was not accepted; it is recorded all the same (ruling 26).
public struct PatrolCheckInRefused: EventPayload {
    public static let row = EventKind(
        "patrol.check_in_refused/1",
        PatrolEvent.checkInRefused,
        audience: .desk,
        timeline: true,
        linksDigest: 0x8DCF_E133,
        summary: [.init("guard", \.guardID), .init("reason", \.reason)]
    )

    public let guardID: UserID
    public let reason: Reason
    public let distanceMetres: Sealed<Double>?
    /// The round that the guard was on; `nil` where on none.
    public let round: RoundID?

    public init(
        guardID: UserID,
        reason: Reason,
        distanceMetres: Sealed<Double>? = nil,
        round: RoundID? = nil
    ) {
        self.guardID = guardID
        self.reason = reason
        self.distanceMetres = distanceMetres
        self.round = round
    }

    public var links: [SubjectLink] {
        [.about(.user(guardID))] + (round.map { [.about(.round($0))] } ?? [])
    }

    /// Why.
    public enum Reason: String, Codable, Hashable, Sendable, CaseIterable {
        case badCode = "bad_code"
        /// The code was the point's, and had been renewed before the scan.
        case codeRenewed = "code_renewed"
        case tooFar = "too_far"
        case duplicate
    }
}

/// A guard scanned the point's code.
public struct PatrolCheckedIn: EventPayload {
    public static let row = EventKind(
        "patrol.checked_in/1",
        PatrolEvent.checkedIn,
        audience: .desk,
        timeline: true,
        linksDigest: 0x66FC_DF25,
        summary: [.init("guard", \.guardID), .init("kept", \.keptWord), .init("note", \.note)]
    )

    public let guardID: UserID
    public let guardPerson: PersonID
    public let fix: Sealed<Fix>?
    public let distanceMetres: Sealed<Double>?
    /// Whether the scan was kept on the device and sent later.
    public let offline: Bool
    public let note: Sealed<String>?
    /// The round that the guard was on; `nil` where on none.
    public let round: RoundID?

    /// For people: said only of a scan that came later.
    var keptWord: String? { offline ? "yes" : nil }

    public init(
        guardID: UserID,
        guardPerson: PersonID,
        fix: Sealed<Fix>? = nil,
        distanceMetres: Sealed<Double>? = nil,
        offline: Bool,
        note: Sealed<String>? = nil,
        round: RoundID? = nil
    ) {
        self.guardID = guardID
        self.guardPerson = guardPerson
        self.fix = fix
        self.distanceMetres = distanceMetres
        self.offline = offline
        self.note = note
        self.round = round
    }

    public var links: [SubjectLink] {
        [.about(.user(guardID))] + (round.map { [.about(.round($0))] } ?? [])
    }
}

/// A place on a guard's tour was set up.
public struct PatrolPointDefined: EventPayload {
    public static let row = EventKind(
        "patrol.point_defined/1",
        PatrolEvent.pointDefined,
        audience: .desk
    )

    public let site: String
    public let name: String
    public let latitude: Double
    public let longitude: Double
    /// How far from it a scan still counts.
    public let radiusMetres: Double

    public init(
        site: String,
        name: String,
        latitude: Double,
        longitude: Double,
        radiusMetres: Double
    ) {
        self.site = site
        self.name = name
        self.latitude = latitude
        self.longitude = longitude
        self.radiusMetres = radiusMetres
    }

    public var links: [SubjectLink] { [] }
}

/// A point has another code from now on: its label was lost, or copied.
public struct PatrolCodeRenewed: EventPayload {
    public static let row = EventKind(
        "patrol.code_renewed/1",
        PatrolEvent.codeRenewed,
        audience: .desk
    )

    /// Which code of the point it is; the first one, which no event tells, is 1.
    public let number: Int

    public init(number: Int) {
        self.number = number
    }

    public var links: [SubjectLink] { [] }
}
