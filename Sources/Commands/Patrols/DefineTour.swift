// SPDX-License-Identifier: Apache-2.0
public import Events

/// A tour is set up, or changed; a round that goes on keeps what it began with.
public struct DefineTour: Command {
    public let tour: TourID
    public let definition: TourDefined

    public init(_ tour: TourID, as definition: TourDefined) {
        self.tour = tour
        self.definition = definition
    }

    /// Why it was not set up.
    public enum Refusal: CommandRefusal {
        case unknownPoint(PatrolPointID)
        case repeatedPoint(PatrolPointID)
        case unacceptable(InputFault)

        public var problem: Problem {
            switch self {
            case .unknownPoint(let point):
                Problem(
                    .unprocessable,
                    "patrol-point-unknown",
                    "tour refused: there is no patrol point \(point); set it up first",
                    facts: ["point": "\(point)"]
                )
            case .repeatedPoint(let point):
                Problem(
                    .unprocessable,
                    "patrol-point-repeated",
                    "tour refused: point \(point) stands in it twice; make a point for each visit",
                    facts: ["point": "\(point)"]
                )
            case .unacceptable(let fault): fault.problem
            }
        }
    }

    public var subject: Subject { .tour(tour) }

    public func read(
        _ ledger: inout LedgerView
    ) throws -> (tour: Tour, points: [PatrolPointID: OrganisationID]) {
        var points: [PatrolPointID: OrganisationID] = [:]
        for point in definition.points.prefix(CommandLimits.pointsPerTourMax) {
            points[point.point] = try ledger.glance(PatrolPoint.self, point.point).organisation
        }
        return (try ledger.read(Tour.self, tour), points)
    }

    public func decide(
        _ state: (tour: Tour, points: [PatrolPointID: OrganisationID]),
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        for (field, text) in [("site", definition.site), ("name", definition.name)] {
            try InputFault.check(
                text,
                field,
                bytesMax: CommandLimits.wordBytesMax,
                else: Refusal.unacceptable
            )
        }
        try checkTimes()
        try checkSchedule()
        var seen: Set<PatrolPointID> = []
        for point in definition.points.map(\.point) {
            guard state.points[point] == context.organisation else { throw .unknownPoint(point) }
            guard seen.insert(point).inserted else { throw .repeatedPoint(point) }
        }
        guard state.tour.definition != definition else { return .already(()) }
        return .record([.tour(tour, .tourDefined(definition))])
    }

    private func checkTimes() throws(Refusal) {
        let (most, longest) = (CommandLimits.pointsPerTourMax, CommandLimits.roundSecondsMax)
        try InputFault.check(
            (1...most).contains(definition.points.count),
            "points",
            "\(definition.points.count) points",
            allowed: "1 to \(most)",
            else: Refusal.unacceptable
        )
        try InputFault.check(
            (0...longest).contains(definition.graceSeconds),
            "graceSeconds",
            definition.graceSeconds,
            allowed: "0 to \(longest)",
            else: Refusal.unacceptable
        )
        for point in definition.points {
            try InputFault.check(
                point.fromSeconds >= 0 && point.fromSeconds < point.untilSeconds
                    && point.untilSeconds <= longest,
                "points.fromSeconds, untilSeconds",
                "\(point.fromSeconds) to \(point.untilSeconds)",
                allowed: "a window within \(longest) s of the start",
                else: Refusal.unacceptable
            )
        }
    }

    private func checkSchedule() throws(Refusal) {
        guard let schedule = definition.schedule else { return }
        let most = CommandLimits.tourStartsPerDayMax
        try InputFault.check(
            (1...most).contains(schedule.minutesOfDay.count)
                && schedule.minutesOfDay.allSatisfy { (0..<1_440).contains($0) }
                && Set(schedule.minutesOfDay).sorted() == schedule.minutesOfDay,
            "schedule.minutesOfDay",
            schedule.minutesOfDay,
            allowed: "1 to \(most) different minutes from 0 to 1439, in order",
            else: Refusal.unacceptable
        )
        try InputFault.check(
            (1...7).contains(schedule.weekdays.count)
                && schedule.weekdays.allSatisfy { (1...7).contains($0) }
                && Set(schedule.weekdays).sorted() == schedule.weekdays,
            "schedule.weekdays",
            schedule.weekdays,
            allowed: "different days from 1, Monday, to 7, in order",
            else: Refusal.unacceptable
        )
    }
}
