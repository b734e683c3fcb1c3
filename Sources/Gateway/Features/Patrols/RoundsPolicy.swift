// SPDX-License-Identifier: Apache-2.0
import Commands
import Events
import Foundation
import Projections
import Synchronization

/// What is late or missed on a round, that it is over, and that one did not begin, is recorded as its time goes by.
struct RoundsPolicy: TimedPolicy {
    let ledger: Ledger
    private let looks = MinuteLook()

    init(ledger: Ledger) {
        self.ledger = ledger
    }

    var name: String { "rounds" }
    var settings: [String: Int] { [:] }

    func act(at now: Timestamp, behind start: LogPosition) async throws {
        try await passRounds(at: now, behind: start)
        try await passStarts(at: now, behind: start)
    }

    private func passRounds(at now: Timestamp, behind start: LogPosition) async throws {
        for id in try await ledger.readModels.checkIns.roundsDue(at: now) {
            try await ledger.unlessDamaged {
                let round = try await ledger.handler.settled(Round.self, id)
                guard let cause = round.cause, cause.position > start, !round.isFinished else {
                    return
                }
                // A step a record: what is late now is missed later.
                let step = "\(round.overdue.count).\(round.missed.count).\(round.reached.count)"
                try await ledger.handle(
                    PassRoundTime(id),
                    of: name,
                    because: cause,
                    step: "pass.\(step)"
                )
            }
        }
    }

    /// What was to begin within the last two days, a day of grace among them: a gateway that stood still tells it afterwards.
    private func passStarts(at now: Timestamp, behind start: LogPosition) async throws {
        guard looks.isDue(at: now) else { return }
        for (id, schedule) in try await ledger.readModels.checkIns.scheduledTours() {
            try await ledger.unlessDamaged {
                let tour = try await ledger.handler.settled(Tour.self, id)
                guard let cause = tour.cause, cause.position > start, let tourIs = tour.definition,
                    let since = tour.scheduledSince
                else { return }
                let first = max(now + .seconds(-172_800), since, tour.notBegun ?? since)
                // The starts before and after have a say in which span a round counts.
                let times = schedule.starts(
                    from: first + .seconds(-86_400),
                    until: now + .seconds(86_400),
                    in: ledger.configuration.timeZone
                )
                let due = ScheduledStart.spans(of: times, graceSeconds: tourIs.graceSeconds)
                    .filter { tour.waits(for: $0, at: now) && first <= $0.at }
                guard !due.isEmpty else { return }
                let starts = try await ledger.handler.settled(TourStarts.self, id)
                for missed in due where !starts.keep(missed) {
                    try await ledger.handle(
                        PassTourStart(of: id, at: missed),
                        of: name,
                        because: cause,
                        step: "start.\(missed.at.microseconds)"
                    )
                }
            }
        }
    }
}

/// Once a minute is often enough for starts, which are told in minutes.
private final class MinuteLook: Sendable {
    private let last = Mutex<Timestamp?>(nil)

    func isDue(at now: Timestamp) -> Bool {
        last.withLock { last in
            if let known = last, known <= now, now < known + .seconds(60) { return false }
            last = now
            return true
        }
    }
}

extension TourDefined.Schedule {
    /// The scheduled moments between two, in order and each once; a time of day that the clocks leave out is an hour later that day, and of one that
    /// they have twice it is the first.
    func starts(from first: Timestamp, until last: Timestamp, in zone: TimeZone) -> [Timestamp] {
        func offset(_ second: Int64) -> Int64 {
            Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second))))
        }
        func moment(_ local: Int64) -> Int64 {
            let (before, after) = (offset(local - 86_400), offset(local + 86_400))
            let early = local - before
            let late = local - after
            return early + offset(early) != local && late + offset(late) == local ? late : early
        }
        let (first, last) = (first.microseconds / 1_000_000, last.microseconds / 1_000_000)
        let days = (first + offset(first)) / 86_400...(last + offset(last)) / 86_400
        let seconds = days.filter { weekdays.contains(Int(($0 + 3) % 7) + 1) }.flatMap { day in
            minutesOfDay.map { moment(day * 86_400 + Int64($0) * 60) }
        }
        return Set(seconds.filter { (first...last).contains($0) }).sorted()
            .map { Timestamp(microseconds: $0 * 1_000_000) }
    }
}
