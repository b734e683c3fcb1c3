// SPDX-License-Identifier: Apache-2.0
import Events

/// The people and places of a made-up history, and what each is busy with.
struct Town {
    /// Someone with an account.
    struct Member {
        let user: UserID
        let person: PersonID
        let role: Role
        /// Owns a session, walks a tour or looks after a report until then.
        var busyUntil = Timestamp(microseconds: 0)

        var actor: Actor { .user(user, as: role) }
    }

    /// Someone who may call.
    struct Caller {
        let person: PersonID
        let phone: PhoneNumber
        let device: DeviceID?
        /// By which pushes reach the device.
        var push: PushSubscriptionID?
        /// In a session, or held as evidence, until then.
        var busyUntil = Timestamp(microseconds: 0)
    }

    /// A place on a guard's tour.
    struct Point {
        let id: PatrolPointID
        let latitude: Double
        let longitude: Double
        var codeNumber = 1
    }

    /// An incident whose story is over, for others that turn out to be about the same event.
    struct Case {
        let incident: IncidentID
        /// Linked, merged or taken out until then.
        var busyUntil: Timestamp
    }

    /// Incidents that are remembered; the oldest is forgotten for each one more.
    static let casesMax = 50
    /// Callers who are remembered; an older one is forgotten for each one more.
    static let callersMax = 1_000

    var arbitrary: Arbitrary
    /// When stories begin; `nil` until the opening is written.
    var openedAt: Timestamp?
    /// How many of the members were hired by then.
    var hiredAtOpening = Int.max
    var members: [Member] = []
    var callers: [Caller] = []
    var points: [Point] = []
    var agencies: [AgencyID] = []
    var cases: [Case] = []
    var users = 0

    init(seed: UInt64) {
        arbitrary = Arbitrary(seed: seed)
    }

    /// A name made at a moment.
    mutating func id<Named>(at time: Timestamp) -> Identifier<Named> {
        Identifier(at: time, using: &arbitrary.generator)
    }

    /// A time between two lengths.
    mutating func wait(_ seconds: ClosedRange<Double>) -> Duration {
        .microseconds(Int64(Double.random(in: seconds, using: &arbitrary.generator) * 1_000_000))
    }

    /// Someone of a role who is free at a moment.
    mutating func free(_ role: Role, at time: Timestamp) -> Int? {
        let free = members.indices.filter {
            members[$0].role == role && members[$0].busyUntil <= time
        }
        return free.isEmpty ? nil : arbitrary.element(of: free)
    }

    /// Someone of a role, busy or not, whom the opening of the history hired: who comes later is not there yet for every story.
    mutating func anyone(_ role: Role) -> Member {
        arbitrary.element(of: members.prefix(hiredAtOpening).filter { $0.role == role })
    }

    /// A caller who is in no session at a moment, if one is remembered.
    mutating func freeCaller(at time: Timestamp) -> Int? {
        let free = callers.indices.filter { callers[$0].busyUntil <= time }
        return free.isEmpty ? nil : arbitrary.element(of: free)
    }

    /// A remembered incident with which nothing is done at a moment.
    mutating func freeCase(at time: Timestamp) -> Int? {
        let free = cases.indices.filter { cases[$0].busyUntil <= time }
        return free.isEmpty ? nil : arbitrary.element(of: free)
    }

    /// A place in town.
    mutating func fix() -> Fix {
        Fix(
            latitude: (44.40 + Double(arbitrary.number(0...80_000)) / 1_000_000),
            longitude: (26.02 + Double(arbitrary.number(0...120_000)) / 1_000_000),
            accuracyMetres: Double(arbitrary.number(3...80)),
            altitudeMetres: arbitrary.maybe { Double($0.number(550...900)) / 10 },
            speedMetresPerSecond: arbitrary.maybe { Double($0.number(0...150)) / 10 },
            headingDegrees: arbitrary.maybe { Double($0.number(0...359)) }
        )
    }
}
