// SPDX-License-Identifier: Apache-2.0

/// A tour of patrol points was set up, or changed; rounds that go on keep what they began with.
public struct TourDefined: EventPayload {
    public static let row = EventKind("tour.defined/1", PatrolEvent.tourDefined, audience: .desk)

    public let site: String
    public let name: String
    /// In the order in which they are walked.
    public let points: [Point]
    /// Whether a point counts only behind those before it.
    public let isOrdered: Bool
    /// How long behind the end of its window a point is late before it is missed.
    public let graceSeconds: Int
    /// Whether it is walked no more.
    public let isRetired: Bool
    /// When a round is to begin; `nil` where guards set out as they see fit, and in what was recorded before there were schedules.
    public let schedule: Schedule?

    public init(
        site: String,
        name: String,
        points: [Point],
        isOrdered: Bool,
        graceSeconds: Int,
        isRetired: Bool = false,
        schedule: Schedule? = nil
    ) {
        self.site = site
        self.name = name
        self.points = points
        self.isOrdered = isOrdered
        self.graceSeconds = graceSeconds
        self.isRetired = isRetired
        self.schedule = schedule
    }

    public var links: [SubjectLink] { [] }

    /// The moments of a week at which a round is to begin, by the clock of the centre's time zone.
    public struct Schedule: Codable, Hashable, Sendable {
        /// From midnight: 0 to 1,439, in order.
        public let minutesOfDay: [Int]
        /// 1 for Monday to 7 for Sunday, in order (ISO 8601).
        public let weekdays: [Int]

        public init(minutesOfDay: [Int], weekdays: [Int]) {
            (self.minutesOfDay, self.weekdays) = (minutesOfDay, weekdays)
        }
    }

    /// A point of the tour and its window, in seconds from the start of a round.
    public struct Point: Codable, Hashable, Sendable {
        public let point: PatrolPointID
        public let fromSeconds: Int
        public let untilSeconds: Int

        public init(point: PatrolPointID, fromSeconds: Int, untilSeconds: Int) {
            self.point = point
            self.fromSeconds = fromSeconds
            self.untilSeconds = untilSeconds
        }
    }
}

/// A tour had a round to begin, and no guard set out on it in time.
public struct TourNotBegun: EventPayload {
    public static let row = EventKind(
        "tour.not_begun/1",
        PatrolEvent.tourNotBegun,
        audience: .desk,
        desk: true
    )

    /// When it was to begin.
    public let scheduledFor: Timestamp

    public init(scheduledFor: Timestamp) {
        self.scheduledFor = scheduledFor
    }

    public var links: [SubjectLink] { [] }
}

/// A guard set out on a round of a tour.
public struct RoundStarted: EventPayload {
    public static let row = EventKind(
        "round.started/1",
        PatrolEvent.roundStarted,
        audience: .desk,
        desk: true,
        timeline: true,
        linksDigest: 0x439F_BB8F,
        summary: [
            .init("tour", \.tour), .init("guard", \.guardID), .init("points", \.points.count),
        ]
    )

    public let tour: TourID
    public let guardID: UserID
    /// What is to be walked, in order.
    public let points: [Point]
    public let isOrdered: Bool

    public init(tour: TourID, guardID: UserID, points: [Point], isOrdered: Bool) {
        self.tour = tour
        self.guardID = guardID
        self.points = points
        self.isOrdered = isOrdered
    }

    public var links: [SubjectLink] {
        [.about(.tour(tour)), .member(.user(guardID))]
            + points.map { .about(.patrolPoint($0.point)) }
    }

    /// A point of a round, and when it is due.
    public struct Point: Codable, Hashable, Sendable {
        public let point: PatrolPointID
        /// From when on a scan counts.
        public let from: Timestamp
        /// Until when it is on time.
        public let until: Timestamp
        /// Until when it is late; missed from then on.
        public let lateUntil: Timestamp

        public init(point: PatrolPointID, from: Timestamp, until: Timestamp, lateUntil: Timestamp) {
            self.point = point
            self.from = from
            self.until = until
            self.lateUntil = lateUntil
        }
    }
}

/// A check-in counts towards a round; it stands in the same append.
public struct RoundPointReached: EventPayload {
    public static let row = EventKind(
        "round.point_reached/1",
        PatrolEvent.roundPointReached,
        audience: .desk,
        desk: true,
        timeline: true,
        summary: [.init("point", \.point), .init("standing", \.standing)]
    )

    public let point: PatrolPointID
    public let standing: Standing

    public init(point: PatrolPointID, standing: Standing) {
        self.point = point
        self.standing = standing
    }

    public var links: [SubjectLink] { [] }

    /// Whether the scan was in time; one that was sent later counts by its own moment, also where the point was told missed meanwhile.
    public enum Standing: String, Codable, Hashable, Sendable, CaseIterable {
        case onTime = "on_time"
        case late
        /// The grace was over; the guard was there all the same.
        case missed
    }
}

/// The window of a point is over, and nobody was there.
public struct RoundPointOverdue: EventPayload {
    public static let row = EventKind(
        "round.point_overdue/1",
        PatrolEvent.roundPointOverdue,
        audience: .desk,
        desk: true,
        timeline: true,
        summary: [.init("point", \.point), .init("guard", \.guardID), .init("until", \.until)]
    )

    public let point: PatrolPointID
    public let guardID: UserID
    public let until: Timestamp

    public init(point: PatrolPointID, guardID: UserID, until: Timestamp) {
        self.point = point
        self.guardID = guardID
        self.until = until
    }

    public var links: [SubjectLink] { [] }
}

/// Nobody was at a point in its window, nor in the grace behind it.
public struct RoundPointMissed: EventPayload {
    public static let row = EventKind(
        "round.point_missed/1",
        PatrolEvent.roundPointMissed,
        audience: .desk,
        desk: true,
        timeline: true,
        summary: [.init("point", \.point), .init("guard", \.guardID), .init("until", \.until)]
    )

    public let point: PatrolPointID
    public let guardID: UserID
    public let until: Timestamp

    public init(point: PatrolPointID, guardID: UserID, until: Timestamp) {
        self.point = point
        self.guardID = guardID
        self.until = until
    }

    public var links: [SubjectLink] { [] }
}

/// A supervisor did something about a late or missed point: sent somebody, or noted why.
public struct RoundPointHandled: EventPayload {
    public static let row = EventKind(
        "round.point_handled/1",
        PatrolEvent.roundPointHandled,
        audience: .desk,
        desk: true,
        timeline: true,
        summary: [
            .init("point", \.point), .init("by", \.by), .init("sent", \.sent),
            .init("note", \.note),
        ]
    )

    public let point: PatrolPointID
    public let by: UserID
    /// Who is on the way.
    public let sent: UserID?
    /// Why, in words about the guard, which are forgotten with them.
    public let note: Sealed<String>?

    public init(point: PatrolPointID, by: UserID, sent: UserID? = nil, note: Sealed<String>? = nil)
    {
        self.point = point
        self.by = by
        self.sent = sent
        self.note = note
    }

    public var links: [SubjectLink] { [] }
}

/// A round is over.
public struct RoundFinished: EventPayload {
    public static let row = EventKind(
        "round.finished/1",
        PatrolEvent.roundFinished,
        audience: .desk,
        desk: true,
        timeline: true,
        linksDigest: 0xC99A_C970,
        summary: [
            .init("reason", \.reason), .init("reached", \.reached), .init("missed", \.missed.count),
            .init("durationMilliseconds", \.durationMilliseconds),
        ]
    )

    public let guardID: UserID
    public let reason: Reason
    /// How many points were reached, in time or not.
    public let reached: Int
    /// Those that were not.
    public let missed: [PatrolPointID]
    public let durationMilliseconds: Int

    public init(
        guardID: UserID,
        reason: Reason,
        reached: Int,
        missed: [PatrolPointID],
        durationMilliseconds: Int
    ) {
        self.guardID = guardID
        self.reason = reason
        self.reached = reached
        self.missed = missed
        self.durationMilliseconds = durationMilliseconds
    }

    public var links: [SubjectLink] { [.member(.user(guardID))] }

    /// Why.
    public enum Reason: String, Codable, Hashable, Sendable, CaseIterable {
        /// Every point was reached, or had been missed.
        case done
        /// The guard, or a supervisor, ended it before.
        case stopped
        /// The last window and its grace went by.
        case expired
    }
}

/// A guard calls for help.
public struct GuardAlarmRaised: EventPayload {
    public static let row = EventKind(
        "guard.alarm_raised/1",
        PatrolEvent.guardAlarmRaised,
        audience: .desk,
        desk: true,
        timeline: true,
        linksDigest: 0xD49A_5521,
        summary: [.init("guard", \.guardID), .init("fix", \.fix)]
    )

    public let guardID: UserID
    public let guardPerson: PersonID
    public let fix: Sealed<Fix>?
    /// The round that the guard was on; `nil` where on none.
    public let round: RoundID?

    public init(
        guardID: UserID,
        guardPerson: PersonID,
        fix: Sealed<Fix>? = nil,
        round: RoundID? = nil
    ) {
        self.guardID = guardID
        self.guardPerson = guardPerson
        self.fix = fix
        self.round = round
    }

    public var links: [SubjectLink] {
        [.about(.user(guardID))] + (round.map { [.about(.round($0))] } ?? [])
    }
}

/// Somebody took up a guard's alarm.
public struct GuardAlarmAnswered: EventPayload {
    public static let row = EventKind(
        "guard.alarm_answered/1",
        PatrolEvent.guardAlarmAnswered,
        audience: .desk,
        desk: true,
        timeline: true,
        summary: [.init("by", \.by), .init("incident", \.incident)]
    )

    public let by: UserID
    /// The incident opened together with it; `nil` in what was recorded before alarms opened any.
    public let incident: IncidentID?

    public init(by: UserID, incident: IncidentID? = nil) {
        self.by = by
        self.incident = incident
    }

    public var links: [SubjectLink] { incident.map { [.about(.incident($0))] } ?? [] }
}
