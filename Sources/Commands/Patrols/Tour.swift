// SPDX-License-Identifier: Apache-2.0
public import Events

/// A tour as it is walked today.
public struct Tour: Fold {
    public let id: TourID
    /// `nil` before it was set up.
    public private(set) var definition: TourDefined?
    /// What set it up as it is.
    public private(set) var cause: Cause?
    /// Since when its rounds begin by its schedule.
    public private(set) var scheduledSince: Timestamp?
    /// The last start of which it was recorded that no round began.
    public private(set) var notBegun: Timestamp?

    public init(_ id: TourID) {
        self.id = id
    }

    public static func source(of id: TourID) -> FoldSource { .subject(.tour(id)) }

    /// Takes in an event of the tour's subject.
    public mutating func apply(_ event: RecordedEvent) {
        switch event.fact {
        case .patrol(.tourDefined(let defined)):
            if definition?.schedule != defined.schedule
                || definition?.isRetired != defined.isRetired
            {
                scheduledSince = event.envelope.time
            }
            (definition, cause) = (defined, Cause(event.envelope))
        case .patrol(.tourNotBegun(let missed)): notBegun = missed.scheduledFor
        default: break
        }
    }
}

/// When the last rounds of a tour began.
public struct TourStarts: Fold {
    public private(set) var times: [Timestamp] = []

    /// Rounds remembered: more than a tour has within a day and a night.
    static let remembered = 128

    public init(_ id: TourID) {}

    public static func source(of id: TourID) -> FoldSource { .links(to: .about(.tour(id))) }

    /// Takes in an event that is about the tour.
    public mutating func apply(_ event: RecordedEvent) {
        guard case .patrol(.roundStarted) = event.fact else { return }
        times = (times + [event.envelope.time]).suffix(Self.remembered)
    }
}

/// A moment at which a round of a tour is to begin, and in which span one counts for it.
public struct ScheduledStart: Hashable, Sendable {
    public let at: Timestamp
    public let from: Timestamp
    public let until: Timestamp

    public init(at: Timestamp, from: Timestamp, until: Timestamp) {
        (self.at, self.from, self.until) = (at, from, until)
    }

    /// The spans of starts that follow each other: from a quarter of an hour before each to the end of the tour's grace, five minutes at least,
    /// and none of them in another's, so that a round counts once.
    ///
    /// - Parameters:
    ///   - times: In order, each once.
    ///   - graceSeconds: The tour's.
    /// - Returns: One for each time.
    public static func spans(of times: [Timestamp], graceSeconds: Int) -> [ScheduledStart] {
        let grace = max(.seconds(graceSeconds), CommandLimits.tourStartGraceMin)
        func opening(_ place: Int) -> Timestamp {
            guard place > 0 else { return times[place] + (.zero - CommandLimits.tourStartEarly) }
            let half = (times[place] - times[place - 1]) / 2
            return times[place] + (.zero - min(half, CommandLimits.tourStartEarly))
        }
        return times.indices.map { place in
            let last = times[place] + grace
            let next = place + 1 < times.count ? opening(place + 1) + .microseconds(-1) : last
            return ScheduledStart(at: times[place], from: opening(place), until: min(last, next))
        }
    }
}

/// The span in which a round of a tour was to begin goes by, and no guard set out.
public struct PassTourStart: Command {
    public let tour: TourID
    /// By the tour's schedule.
    public let start: ScheduledStart

    public init(of tour: TourID, at start: ScheduledStart) {
        (self.tour, self.start) = (tour, start)
    }

    /// Why nothing is recorded.
    public enum Refusal: CommandRefusal {
        case unknown(TourID)

        public var problem: Problem {
            switch self {
            case .unknown(let tour): .tourUnknown(tour, attempt: "noting a missed start")
            }
        }
    }

    public var subject: Subject { .tour(tour) }

    public func read(_ ledger: inout LedgerView) throws -> (tour: Tour, starts: TourStarts) {
        (try ledger.read(Tour.self, tour), try ledger.read(TourStarts.self, tour))
    }

    public func decide(
        _ state: (tour: Tour, starts: TourStarts),
        _ context: inout CommandContext
    ) throws(Refusal) -> Decision<Void> {
        guard state.tour.definition != nil else { throw .unknown(tour) }
        guard state.tour.waits(for: start, at: context.now), !state.starts.keep(start) else {
            return .already(())
        }
        return .record([.tour(tour, .tourNotBegun(TourNotBegun(scheduledFor: start.at)))])
    }
}

extension Tour {
    /// Whether a start's span is over, of a schedule that stood before it, and nothing is recorded of it or of a later one.
    public func waits(for start: ScheduledStart, at now: Timestamp) -> Bool {
        guard let definition, let scheduledSince, definition.schedule != nil,
            !definition.isRetired
        else { return false }
        return start.until < now && scheduledSince < start.at
            && (notBegun.map { $0 < start.at } ?? true)
    }
}

extension TourStarts {
    /// Whether a round began in a start's span.
    public func keep(_ start: ScheduledStart) -> Bool {
        times.contains { start.from <= $0 && $0 <= start.until }
    }
}

extension Problem {
    static func tourUnknown(_ tour: TourID, attempt: String) -> Problem {
        Problem(
            .notFound,
            "tour-unknown",
            "\(attempt) refused: there is no tour \(tour); look at the list of tours",
            facts: ["tour": "\(tour)"]
        )
    }
}
