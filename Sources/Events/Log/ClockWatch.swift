// SPDX-License-Identifier: Apache-2.0
/// Turns readings of the two clocks into the ledger's time, which never goes back, and notices steps.
///
/// The wall clock is followed as long as it is at most an hour ahead. Further ahead it is held back: the ledger's time
/// goes on with the monotonic clock until the wall clock comes back or somebody confirms it. Behind a wall clock that
/// went back, the ledger's time goes on a hundredth slower until the two meet, so that ages and deadlines stay what
/// they are, and no two years have the same microsecond.
struct ClockWatch: Sendable {
    /// The wall clock moved by itself.
    struct Step: Hashable, Sendable {
        let by: Duration
        let followed: Bool

        /// As an event says it: no further than numbers of entries go, some 285 years.
        var microseconds: Int {
            let most = Double(1 << 53 - 1)
            return Int(min(max(by / .microseconds(1), -most), most))
        }
    }

    private var last: ClockReading
    /// How far the wall clock is ahead of the ledger's time; below zero it is behind.
    private(set) var lead: Duration
    /// Since when the wall clock is not followed, in the ledger's time; `nil` if it is.
    private(set) var heldSince: Timestamp?
    /// The ledger's time.
    private(set) var time: Timestamp
    /// Steps that nobody has recorded yet, oldest first.
    private(set) var steps: [Step] = []
    /// What the ledger's time passed over, oldest first; the oldest are forgotten.
    private(set) var jumps: [ClockJump] = []

    /// Begins where another process stopped, if that can be known.
    ///
    /// - Parameters:
    ///   - reading: The clocks now.
    ///   - boot: Which start of the machine the monotonic clock counts from.
    ///   - lastRecorded: The time of the last event; `nil` for a ledger without any.
    ///   - mark: What an earlier process left; one that cannot be is none.
    init(at reading: ClockReading, boot: String?, lastRecorded: Timestamp?, mark: ClockMark?) {
        let mark = mark.flatMap { mark in
            mark.isBelievable(at: reading.wall, lastRecorded: lastRecorded) ? mark : nil
        }
        if let mark, mark.boot == boot, boot != nil, mark.monotonic <= reading.monotonic {
            // The machine never stopped: the monotonic clock says how much time really passed.
            last = ClockReading(wall: mark.wall, monotonic: mark.monotonic)
            lead = mark.wall - mark.time
            heldSince = mark.heldSince
            time = max(mark.time, lastRecorded ?? mark.time)
            let left = time
            _ = read(reading)
            jumps = []
            pass(from: left)
        } else {
            last = reading
            lead = .zero
            time = reading.wall
            guard let known = [lastRecorded, mark?.time].compactMap(\.self).max() else { return }
            time = known
            // Time passed while the machine was off; only the wall clock claims how much.
            let claimed = reading.wall - known
            if claimed > LogLimits.clockStepFollowedMax || claimed < .zero - LogLimits.clockStepMin
            {
                step(by: claimed)
            } else {
                lead = min(claimed, .zero)
            }
            time = max(time, last.wall - lead)
            pass(from: known)
        }
        // What was recorded stays behind the ledger's time, whoever recorded it.
        if last.wall - lead < time { lead = last.wall - time }
    }

    /// Whether the wall clock is not followed.
    var isHeldBack: Bool { heldSince != nil }

    /// Takes a reading.
    ///
    /// - Returns: The ledger's time.
    mutating func read(_ reading: ClockReading) -> Timestamp {
        let passed = max(.zero, reading.monotonic - last.monotonic)
        let moved = reading.wall - last.wall - passed
        let expected = time + passed
        last = reading
        if moved > LogLimits.clockStepMin || moved < .zero - LogLimits.clockStepMin {
            step(by: moved)
        }
        if lead < .zero { lead = min(.zero, lead + passed / LogLimits.clockMakesUp) }
        time = max(time, reading.wall - lead)
        pass(from: expected)
        return time
    }

    /// Notes what the time has passed over since a moment.
    private mutating func pass(from moment: Timestamp) {
        guard time - moment > LogLimits.clockStepMin else { return }
        jumps.append(ClockJump(from: moment, to: time))
        if jumps.count > LogLimits.clockJumpsMax { jumps.removeFirst() }
    }

    /// Follows the wall clock from now on, because somebody confirmed that it is right.
    mutating func confirm() {
        lead = min(lead, .zero)
        heldSince = nil
        time = max(time, last.wall - lead)
    }

    /// Gives the steps to whoever records them.
    mutating func takeSteps() -> [Step] {
        defer { steps = [] }
        return steps
    }

    /// Takes steps back that could not be recorded.
    mutating func giveBack(_ unrecorded: [Step]) {
        steps = unrecorded + steps
    }

    /// What the next process must know.
    func mark(boot: String?) -> ClockMark {
        ClockMark(
            wall: last.wall,
            monotonic: last.monotonic,
            boot: boot,
            time: last.wall - lead,
            heldSince: heldSince
        )
    }

    private mutating func step(by distance: Duration) {
        lead += distance
        let followed = lead <= LogLimits.clockStepFollowedMax
        if followed {
            lead = min(lead, .zero)
            heldSince = nil
        } else if heldSince == nil {
            heldSince = time
        }
        // A clock that flutters while nothing can be recorded leaves its sum, not a list without end.
        if steps.count >= LogLimits.clockStepsUnrecordedMax, let last = steps.popLast() {
            steps.append(Step(by: last.by + distance, followed: followed))
        } else {
            steps.append(Step(by: distance, followed: followed))
        }
    }
}

/// Time that the ledger's clock passed over at once: a step that was followed, or while nobody served.
///
/// Nobody was silent for that long.
public struct ClockJump: Hashable, Sendable {
    public let from: Timestamp
    public let to: Timestamp

    public init(from: Timestamp, to: Timestamp) {
        (self.from, self.to) = (from, to)
    }

    /// When somebody did something last, so that they were silent for as long as time really passed.
    ///
    /// - Parameters:
    ///   - use: When they did it by the ledger's time.
    ///   - idle: After how much silence they count as gone: whoever was gone before the jump is so behind it.
    /// - Returns: When that was, by a clock without the jump; what came behind it stays as it is.
    public func excused(_ use: Timestamp, silentFor idle: Duration) -> Timestamp {
        guard use < to, use + idle > from else { return use }
        return min(use + (to - from), to)
    }
}

extension Timestamp {
    /// The moment a duration earlier, to the microsecond.
    static func - (moment: Timestamp, duration: Duration) -> Timestamp {
        moment + (.zero - duration)
    }
}
